"""An NBD client that is going to be killed: doomed_client.py ADDRESS EXPORT BASE SEED END

ADDRESS is a unix socket's path or a TCP port of 127.0.0.1. It writes one piece after the other from BASE on, never the same
place twice, eight under way at a time, and says a line "OFFSET LENGTH NUMBER" for each that was acknowledged, as soon as it is.
A piece holds its number, over and over. END is what it does after 100 pieces, until it is killed:

    working   goes on with it
    half      sends half of a WRITE of 64 KiB at BASE + 3 MiB, says "half" and no more
    unread    asks for 8 MiB in all, reads none of it, says "unread"
"""

import os
import random
import signal
import socket
import struct
import sys

UNDER_WAY = 8
PIECES = 100
AREA = 3 << 20
HALF = 64 << 10
READ, WRITE = 0, 1


def receive(connection, length):
    data = bytearray()
    while len(data) < length:
        more = connection.recv(length - len(data))
        if not more:
            sys.exit("the server hung up")
        data += more
    return bytes(data)


def connect(address, export):
    connection = socket.socket(socket.AF_INET if address.isdigit() else socket.AF_UNIX)
    connection.connect(("127.0.0.1", int(address)) if address.isdigit() else address)
    receive(connection, 18)
    name = export.encode()
    connection.sendall(struct.pack(">I", 3) + b"IHAVEOPT" + struct.pack(">II", 1, len(name)) + name)
    receive(connection, 10)
    return connection


def request(kind, cookie, offset, length):
    return struct.pack(">IHHQQI", 0x25609513, 0, kind, cookie, offset, length)


def say(line):
    os.write(1, line.encode() + b"\n")


def main():
    address, export, base, seed, end = sys.argv[1:]
    base = int(base)
    chance = random.Random(int(seed))
    connection = connect(address, export)
    under_way = {}
    number = 0
    at = base

    def acknowledged():
        magic, error, cookie = struct.unpack(">IIQ", receive(connection, 16))
        if magic != 0x67446698 or error:
            sys.exit(f"error {error}")
        say("%d %d %d" % under_way.pop(cookie))

    while at < base + AREA and (number < PIECES or end == "working"):
        length = min(512 * chance.randint(1, 32), base + AREA - at)
        number += 1
        under_way[number] = (at, length, number)
        connection.sendall(request(WRITE, number, at, length) + struct.pack(">Q", number) * (length // 8))
        at += length
        if len(under_way) == UNDER_WAY:
            acknowledged()
    while under_way:
        acknowledged()
    if end == "half":
        connection.sendall(request(WRITE, 0, base + AREA, HALF) + b"\xff" * (HALF // 2))
    elif end == "unread":
        for cookie in range(256):
            connection.sendall(request(READ, cookie, base, 32 << 10))
    say(end)
    signal.pause()


if __name__ == "__main__":
    main()
