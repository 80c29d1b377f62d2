package dev.spindle.disksim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small made-up drive in DiskSim's language, to be bent by tests. */
final class SampleFiles {
    static final String SPECS =
            """
            # a made-up drive
            disksim_disk SMALL {
               Model = source small.model,
               Bulk sector transfer time = 0.05,
               Number of buffer segments = 2,
               Segment size (in blks) = 64,
               Buffer continuous read = 3,
               Fast write level = 1,
               Read hit over. after read = 0.1,
               Read miss over. after read = 0.2
            } # end
            """;
    static final String MODEL =
            """
            dm_disk SMALL_model {
               Number of data surfaces = 2,
               Number of cylinders = 20,
               Layout Model = dm_layout_g1 {
                  LBN-to-PBN mapping scheme = 0,
                  Sparing scheme used = 0,
                  Rangesize for sparing = 1,
                  Zones = [
                     dm_layout_g1_zone {
                        First cylinder number = 0,
                        Last cylinder number = 9,
                        Blocks per track = 100,
                        Offset of first block = 5,
                        Empty space at zone front = 0,
                        Skew for track switch = 10,
                        Skew for cylinder switch = 20,
                        Number of spares = 0,
                        slips = [],
                        defects = []
                     },
                     dm_layout_g1_zone {
                        First cylinder number = 10,
                        Last cylinder number = 19,
                        Blocks per track = 50,
                        Offset of first block = 0,
                        Number of spares = 0
                     }
                  ]
               },
               Mechanical Model = dm_mech_g1 {
                  Access time type = trackSwitchPlusRotation,
                  Seek type = extracted,
                  Full seek curve = small.seek,
                  Add. write settling delay = 0.1,
                  Head switch time = 0.5,
                  Rotation speed (in rpms) = 6000,
                  Percent error in rpms = 0.0
               }
            }
            """;
    static final String SEEK =
            """
            Seek distances measured: 2
            1, 1.0
            19, 3.0
            """;

    private final Path folder;

    private SampleFiles(Path folder) {
        this.folder = folder;
    }

    static SampleFiles in(Path folder) throws IOException {
        SampleFiles files = new SampleFiles(folder);
        files.write("small.diskspecs", SPECS);
        files.write("small.model", MODEL);
        files.write("small.seek", SEEK);
        return files;
    }

    SampleFiles write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
        return this;
    }

    SampleFiles bend(String name, String from, String to) throws IOException {
        String text = Files.readString(folder.resolve(name));
        if (!text.contains(from)) {
            throw new AssertionError(name + " does not hold " + from);
        }
        return write(name, text.replace(from, to));
    }

    Path path(String name) {
        return folder.resolve(name);
    }

    MeasuredDrive read() throws DiskSimException {
        return DriveReader.read(path("small.diskspecs"));
    }
}
