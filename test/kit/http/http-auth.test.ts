import { createHash } from "node:crypto";
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

  it.each([
    [
      "RFC 7616 §3.9.1: the strongest that is known",
      [
        'Digest realm="r", qop="auth, auth-int", algorithm=SHA-256, nonce="one"',
        'Digest realm="r", qop="auth, auth-int", algorithm=MD5, nonce="two"',
      ],
      /^Digest .*nonce="one".*algorithm=SHA-256/,
    ],
    [
      "a box with both schemes",
      ['Basic realm="box, left"', 'digest Realm=r, Nonce="two, three"'],
      /^Digest .*nonce="two, three"/,
    ],
    ["a scheme that is unknown first", ["Negotiate abc==", "NTLM", 'Basic realm="x"'], /^Basic /],
    [
      "an algorithm that is unknown first",
      ['Digest realm="r", nonce="n", algorithm=SHA-512-256', 'Basic realm="x"'],
      /^Basic /,
    ],
    ["an algorithm in quotes", ['Digest realm="r", nonce="n", algorithm="md5"'], /algorithm=md5/],
  ])("answers the best of several challenges: %s", (_, challenges, answer) => {
    // The lines of one header are joined by commas on the way.
    for (const challenge of [challenges.join(", "), challenges.join(",")])
      expect(authorizationFor({ challenge, method: "GET", uri: "/" }, MUFASA)).toMatch(answer);
  });

  it("has a session key with MD5-sess, as RFC 7616 §3.4.2 says", () => {
    const challenge = 'Digest realm="r", nonce="n", qop="auth", algorithm=MD5-sess';
    const header = authorizationFor({ challenge, method: "GET", uri: "/x" }, MUFASA) ?? "";
    const cnonce = /cnonce="(\w+)"/.exec(header)?.[1];
    const md5 = (text: string) => createHash("md5").update(text).digest("hex");
    const key = md5(`${md5("Mufasa:r:Circle Of Life")}:n:${cnonce}`);
    expect(header).toContain(`response="${md5(`${key}:n:00000001:${cnonce}:auth:${md5("GET:/x")}`)}"`);
  });

  it("does not answer a challenge that wants the body protected", () => {
    const challenge = 'Digest realm="r", nonce="n", qop="auth-int"';
    expect(authorizationFor({ challenge, method: "GET", uri: "/x" }, MUFASA)).toBeUndefined();
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
