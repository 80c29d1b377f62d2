package dev.spindle.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads one section of {@code devices}. */
final class DeviceReader {
    private static final String NAME = "(?!\\.{1,2}$)[a-zA-Z0-9._-]{1,64}";

    private final String name;
    private final Section device;
    private final Map<String, DriveProfile> drives;

    DeviceReader(String name, Section device, Map<String, DriveProfile> drives) {
        this.name = name;
        this.device = device;
        this.drives = drives;
    }

    Optional<DeviceConfig> read() {
        int before = device.faults();
        boolean isNameGood = name.matches(NAME);
        if (!isNameGood) {
            device.problem("is no name for a device, allowed 1 to 64 of a-z A-Z 0-9 . _ -");
        }
        Optional<DriveProfile> profile = profile();
        long sizeBytes = size(profile);
        boolean isSizeGood = device.faults() == before;
        boolean isReadOnly = device.read(Keys.READ_ONLY);
        String path =
                device.find(Keys.PATH)
                        .orElseGet(() -> device.recordDefault(Keys.PATH, "/dev/" + name));
        Optional<String> description = device.find(Keys.DESCRIPTION);
        ClockConfig clock =
                new ClockConfig(device.read(Keys.TIME_SCALE), device.read(Keys.WAKE_AHEAD));
        Optional<StoreConfig> store = StoreReader.read(device.child("store"));
        Section queue = device.child("queue");
        Optional<DriveConfig> drive = profile.flatMap(DriveProfile::drive);
        if (drive.isEmpty()) {
            QueueReader.checkAlone(queue, Keys.MAX_SECTORS_KB_LIMIT);
            return Optional.empty();
        }
        Optional<QueueConfig> queueConfig =
                QueueReader.read(queue, profile.get().queue(), drive.get());
        Optional<DiscConfig> disc = OpticalReader.disc(device, drive.get());
        if (isSizeGood) {
            requireWholeBlocks(sizeBytes, drive.get());
        }
        disc.filter(_ -> queueConfig.isPresent())
                .flatMap(it -> it.maxSectorsFault(queueConfig.orElseThrow().maxSectorsKb()))
                .ifPresent(text -> queue.problem(Keys.MAX_SECTORS_KB.name(), text));
        return device.ifSound(
                before,
                () ->
                        new DeviceConfig(
                                name,
                                description,
                                path,
                                sizeBytes,
                                isReadOnly,
                                store.orElseThrow(),
                                queueConfig.orElseThrow(),
                                drive.get(),
                                disc,
                                clock));
    }

    /**
     * A disc has a size of its own; any other device must be told, and nobody knows what one with a
     * faulty drive would have been.
     */
    private long size(Optional<DriveProfile> profile) {
        if (device.has(Keys.SIZE.name()) || profile.isEmpty()) {
            return device.read(Keys.SIZE);
        }
        Optional<DriveConfig> drive = profile.get().drive();
        if (drive.isEmpty()) {
            return Keys.SIZE.type().sample();
        }
        return drive.get() instanceof OpticalDriveConfig optical
                ? device.recordDefault(Keys.SIZE, optical.medium().capacityBytes())
                : device.read(Keys.SIZE);
    }

    private Optional<DriveProfile> profile() {
        int before = device.faults();
        String wanted = device.read(Keys.DEVICE_DRIVE);
        if (device.faults() > before) {
            return Optional.empty();
        }
        DriveProfile profile = drives.get(wanted);
        if (profile == null) {
            List<String> known = drives.keySet().stream().sorted().toList();
            device.problem(
                    Keys.DEVICE_DRIVE.name(),
                    "unknown drive "
                            + wanted
                            + (known.isEmpty()
                                    ? ", there are no drives; include a profile"
                                    : ", known drives: " + String.join(", ", known)));
        }
        return Optional.ofNullable(profile);
    }

    private void requireWholeBlocks(long sizeBytes, DriveConfig drive) {
        int blockBytes = drive.logicalBlockBytes();
        if (drive instanceof OpticalDriveConfig optical) {
            OpticalReader.sizeFault(sizeBytes, optical)
                    .ifPresent(text -> device.problem(Keys.SIZE.name(), text));
        } else if (sizeBytes % blockBytes != 0) {
            device.problem(
                    Keys.SIZE.name(),
                    Keys.SIZE.type().render(sizeBytes)
                            + " is not a multiple of the drive's logical_block = "
                            + Keys.LOGICAL_BLOCK.type().render((long) blockBytes));
        }
    }
}
