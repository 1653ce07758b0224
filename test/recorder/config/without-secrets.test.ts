import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { LEFT_OUT, withoutSecrets } from "../../../src/recorder/config/without-secrets.ts";

describe("a configuration without secrets", () => {
  it.each([
    [
      "http://user:pass@host:8080/a?b=c&token=d,e",
      "http://not-in-backup@host:8080/a?b=not-in-backup&token=not-in-backup",
    ],
    ["http://user:p@ss@host/", "http://not-in-backup@host/"],
    ["rtsp://host/?src=&b=", "rtsp://host/?src=&b="],
    ["http://host/a?token", "http://host/a?not-in-backup"],
    ["http://host/a?k=x#token", "http://host/a?k=not-in-backup#not-in-backup"],
    ["udp://@239.255.0.1:5004", "udp://@239.255.0.1:5004"],
    ["http://host/a/b.ts", "http://host/a/b.ts"],
    ["see http://a:b@c/d and http://e/?f=g", "see http://not-in-backup@c/d and http://e/?f=not-in-backup"],
  ])("R-39 has %s as %s in any notation", (given, shown) => {
    for (const written of [
      JSON.stringify(given),
      `'${given}'`,
      `|-\n      ${given}`,
      `>-\n      ${given}`,
      `&name ${JSON.stringify(given)}`,
    ]) {
      const yaml = `first: 1 # stays\nlist:\n  - address: ${written}\n  - other: x\n`;
      const text = withoutSecrets(yaml);
      expect(parse(text), written).toEqual({ first: 1, list: [{ address: shown }, { other: "x" }] });
      expect(text).toContain("# stays");
    }
  });

  it("R-39 omits secrets in one-line lists and comments, and keeps everything else as written", () => {
    const yaml =
      "a: [ http://h/x?k=SECRET, http://u:SECRET@h/y ] # http://u:SECRET@h/z?k=SECRET\nb:   'kept  as it is'\n";
    expect(withoutSecrets(yaml)).toBe(
      'a: [ "http://h/x?k=not-in-backup", "http://not-in-backup@h/y" ] # http://not-in-backup@h/z?k=not-in-backup\nb:   \'kept  as it is\'\n',
    );
    const plain = "# nothing to hide\nguide: { url: 'https://guide.example/api' }\n";
    expect(withoutSecrets(plain)).toBe(plain);
  });

  it("R-39 omits addresses that grant access by themselves", () => {
    const yaml = [
      "notify:",
      "  - { kind: webhook, id: a, url: 'https://hooks.example/T0/SECRET' }",
      "  - { id: b, kind: ntfy, topic: SECRET }",
      "  - { kind: mqtt, id: c, topic: recorderd/news }",
      "tuners:",
      "  - kind: url",
      "    services: [{ service: 1/2/3, url: http://iptv.example/live/me/SECRET/1.ts }]",
    ].join("\n");
    const text = withoutSecrets(yaml);
    expect(text).not.toContain("SECRET");
    expect(parse(text)).toMatchObject({
      notify: [
        { url: `https://hooks.example/${LEFT_OUT}` },
        { topic: LEFT_OUT },
        { topic: "recorderd/news" },
      ],
      tuners: [{ services: [{ service: "1/2/3", url: `http://iptv.example/${LEFT_OUT}` }] }],
    });
  });
});
