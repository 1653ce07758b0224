#!/usr/bin/env python3
"""What a recording of one service out of a multiplex must hold, packet for packet, the PAT aside.

Written from ISO/IEC 13818-1 and EN 300 468 alone, as a second opinion on src/recorder/capture/host/service-filter.ts: reads whole packets from
the standard input and writes the expected ones. From the first PAT on that names the service: NIT, SDT, EIT and TDT, the PMT, and
what the PMT in force names: PCR, streams, ECM. A PMT is in force behind the packet that completes it; what the one before it named
goes on until it came twenty times, for streams move after the PMT that says so.

usage: service_reference.py SERVICE_ID < multiplex.ts > service.ts
"""
import sys

PACKET = 188


def checksum(data):
    """CRC-32 of annex A; 0 over a section with its checksum."""
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = ((value << 1) ^ 0x04C11DB7 if value & 0x80000000 else value << 1) & 0xFFFFFFFF
    return value


class Table:
    """Whole sections of one PID that are valid now."""

    def __init__(self):
        self.last = None
        self.data = None

    def feed(self, packet):
        control = packet[3]
        if not control & 0x10:
            return
        counter = control & 15
        if counter == self.last:
            return
        if self.last is not None and counter != (self.last + 1) % 16:
            self.data = None
        self.last = counter
        if packet[1] & 0x80 or control & 0xC0:
            self.data = None
            return
        payload = packet[4:]
        if control & 0x20:
            payload = packet[5 + packet[4]:]
        if not payload:
            return
        if not packet[1] & 0x40:
            if self.data is not None:
                self.data += payload
                yield from self.whole()
            return
        pointer, rest = payload[0], payload[1:]
        if self.data is not None:
            self.data += rest[:pointer]
            yield from self.whole()
        self.data = rest[pointer:]
        yield from self.whole()

    def whole(self):
        while self.data is not None and len(self.data) >= 3:
            if self.data[0] == 0xFF:
                self.data = None
                return
            length = 3 + ((self.data[1] & 15) << 8 | self.data[2])
            if len(self.data) < length:
                return
            section, self.data = self.data[:length], self.data[length:]
            if length >= 12 and section[1] & 0x80 and section[5] & 1 and checksum(section) == 0:
                yield section
        if self.data == b"":
            self.data = None


def word(data, at):
    return data[at] << 8 | data[at + 1]


def ecm(descriptors):
    at = 0
    while at + 2 <= len(descriptors):
        if descriptors[at] == 9 and at + 6 <= len(descriptors):
            yield word(descriptors, at + 4) & 0x1FFF
        at += 2 + descriptors[at + 1]


def named_by(pmt):
    pids = {word(pmt, 8) & 0x1FFF}
    at = 12 + (word(pmt, 10) & 0xFFF)
    pids.update(ecm(pmt[12:at]))
    while at + 5 <= len(pmt) - 4:
        end = at + 5 + (word(pmt, at + 3) & 0xFFF)
        pids.add(word(pmt, at + 1) & 0x1FFF)
        pids.update(ecm(pmt[at + 5:end]))
        at = end
    return pids - {0x1FFF}


def main():
    wanted = int(sys.argv[1])
    stream = sys.stdin.buffer.read()
    pat, pmt, pmt_pid, pids, former, left = Table(), Table(), None, set(), set(), 0
    for start in range(0, len(stream) - PACKET + 1, PACKET):
        packet = stream[start:start + PACKET]
        assert packet[0] == 0x47
        pid = word(packet, 1) & 0x1FFF
        if pid == 0:
            for section in pat.feed(packet):
                for at in range(8, len(section) - 4, 4):
                    found = word(section, at + 2) & 0x1FFF
                    if section[0] == 0 and word(section, at) == wanted and found != pmt_pid:
                        pmt_pid, pmt = found, Table()
            continue
        if pmt_pid is None:
            continue
        if pid == pmt_pid or pid in pids | former or pid in (0x10, 0x11, 0x12, 0x14):
            sys.stdout.buffer.write(packet)
        if pid == pmt_pid:
            for section in pmt.feed(packet):
                if section[0] == 2 and word(section, 3) == wanted:
                    left -= 1
                    if left == 0:
                        former = set()
                    if named_by(section) != pids:
                        former, pids, left = pids, named_by(section), 20


main()
