import { describe, expect, it } from "vitest";
import { authorizationFor, credentialsIn } from "../../../src/kit/http/http-auth.ts";

const MUFASA = { user: "Mufasa", password: "Circle Of Life" };

describe("the response to a challenge", () => {
  it("follows RFC 2069 if the server sends no qop", () => {
    const challenge =
      'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"';
    const header = authorizationFor(
      { challenge, method: "GET", uri: "/dir/index.html" },
      { user: "Mufasa", password: "CircleOfLife" },
    );
    expect(header).toContain('response="1949323746fe6a43ef61f9606e7febea"');
    expect(header).toContain('opaque="5ccc069c403ebaf9f0171e9517f40e41"');
  });

  it("is Digest with a client nonce if the server wants it, also with SHA-256", () => {
    const challenge = 'Digest realm="r \\"x\\"", nonce="n", algorithm=SHA-256, qop="auth, auth-int"';
    const header = authorizationFor({ challenge, method: "GET", uri: "/x" }, MUFASA);
    expect(header).toMatch(
      /^Digest username="Mufasa", realm="r \\"x\\"", nonce="n", uri="\/x", response="[0-9a-f]{64}"/,
    );
    expect(header).toMatch(/qop=auth, nc=00000001, cnonce="[0-9a-f]{16}"$/);
  });

  it("is Basic if the server wants that", () => {
    const header = authorizationFor(
      { challenge: 'Basic realm="box"', method: "GET", uri: "/" },
      { user: "a", password: "ü:" },
    );
    expect(header).toBe(`Basic ${Buffer.from("a:ü:").toString("base64")}`);
  });

  it.each(["", "Negotiate", 'Digest realm="r", nonce="n", algorithm=MD4'])("is empty for %j", (challenge) => {
    expect(authorizationFor({ challenge, method: "GET", uri: "/" }, MUFASA)).toBeUndefined();
  });
});

describe("user and password in an address", () => {
  it.each([
    ["http://box/", undefined],
    ["http://anna@box/", { user: "anna", password: "" }],
    ["http://a%40b:%C3%BC%20%2F@box/", { user: "a@b", password: "ü /" }],
    ["http://anna:100%@box/", { user: "anna", password: "100%" }],
    ["http://anna:%FF%20a@box/", { user: "anna", password: "%FF%20a" }],
  ])("are read from %s", (address, expected) => {
    expect(credentialsIn(new URL(address))).toEqual(expected);
  });
});
