"""For nbdkit's python plugin: a disk in memory that says yes to every write and loses one in fifty."""

API_VERSION = 2
SIZE = 256 << 20
LOSES_ONE_IN = 50

disk = bytearray(SIZE)
writes = 0


def open(readonly):
    return 1


def get_size(handle):
    return SIZE


def can_multi_conn(handle):
    return True


def pread(handle, buffer, offset, flags):
    buffer[:] = disk[offset : offset + len(buffer)]


def pwrite(handle, buffer, offset, flags):
    global writes
    writes += 1
    if writes % LOSES_ONE_IN != 0:
        disk[offset : offset + len(buffer)] = buffer


def flush(handle, flags):
    pass
