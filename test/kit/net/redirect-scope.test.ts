import { expect, it } from "vitest";
import { mayRedirect } from "../../../src/kit/net/redirect-scope.ts";

const may = (from: string, to: string) => mayRedirect(new URL(from), new URL(to));

it.each([
  "http://127.0.0.1:8790/v1/sync",
  "http://127.1/",
  "http://2130706433/",
  "http://0x7f.1/",
  "http://0.0.0.0/",
  "http://localhost/",
  "http://any.localhost./",
  "http://[::1]/",
  "http://[::]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:192.168.1.1]/",
  "http://169.254.169.254/latest/meta-data/",
  "http://[fe80::1]/",
  "http://[fd00:ec2::254]/",
  "http://192.168.1.1/reboot",
  "http://10.0.0.1/",
  "http://172.31.0.1/",
  "http://100.64.0.1/",
  "http://fritz.box.lan/",
  "http://router/",
])("a server of the internet sends nobody to %s", (to) => {
  expect(may("https://listings.example.org/tv.xml", to)).toBe(false);
  expect(may("https://203.0.113.7/tv.xml", to)).toBe(false);
});

it.each([
  ["https://listings.example.org/a", "http://cdn.example.net/b"],
  ["https://listings.example.org/a", "http://[2001:db8::1]/b"],
  ["http://192.168.1.5/a", "https://listings.example.org/b"],
  ["http://nas/a", "http://192.168.1.6/b"],
  ["http://nas.lan/a", "http://nas/b"],
  ["http://127.0.0.1/a", "http://localhost:81/b"],
  ["http://localhost/a", "http://192.168.1.6/b"],
  ["http://169.254.3.4/a", "http://169.254.3.4:5004/b"],
])("a server may send a client further out, or to where it is: %s, %s", (from, to) => {
  expect(may(from, to)).toBe(true);
});

it.each([
  ["http://192.168.1.5/a", "http://127.0.0.1:8790/"],
  ["http://127.0.0.1/a", "http://169.254.169.254/"],
  ["http://192.168.1.5/a", "http://[fe80::1]/"],
])("a server of the house sends nobody to the machine itself or its link: %s, %s", (from, to) => {
  expect(may(from, to)).toBe(false);
});
