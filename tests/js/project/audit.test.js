// The audit of dependencies can fail: each fault of a lock file is found.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isAllowed } from "../../../scripts/lib/licences.mjs";
import { cargoFaults, npmFaults } from "../../../scripts/lib/locks.mjs";

const integrity = `sha512-${"A".repeat(86)}==`;

test("a licence expression is fulfilled by what is allowed, or not at all", () => {
  const allowed = new Set(["MIT", "Apache-2.0", "Zlib"]);
  for (const good of ["MIT", "MIT OR GPL-3.0-or-later", "(GPL-2.0 OR MIT) AND Zlib", "MIT/Apache-2.0", "GPL-2.0 AND X OR MIT"]) {
    assert.equal(isAllowed(good, allowed), true, good);
  }
  for (const bad of ["", "GPL-3.0", "MIT AND GPL-3.0", "MIT OR", "(MIT", "MIT)", "MIT Zlib", "SEE LICENSE IN LICENSE", "()"]) {
    assert.equal(isAllowed(bad, allowed), false, bad);
  }
});

test("each fault of a package-lock.json is found", () => {
  const faults = (/** @type {object} */ locked) => npmFaults({ packages: { "": {}, "node_modules/x": { license: "MIT", integrity, ...locked } } });
  assert.deepEqual(faults({}), []);
  assert.match(faults({ integrity: undefined })[0] ?? "", /no sha512/);
  assert.match(faults({ integrity: "sha1-AAAA" })[0] ?? "", /no sha512/);
  assert.match(faults({ resolved: "https://packages.example.org/x.tgz" })[0] ?? "", /names the host/);
  assert.match(faults({ hasInstallScript: true })[0] ?? "", /runs a script/);
  assert.match(faults({ license: "GPL-3.0-only" })[0] ?? "", /licence GPL-3.0-only/);
  assert.match(faults({ license: undefined })[0] ?? "", /licence unknown/);
  const nested = npmFaults({ packages: { "node_modules/a/node_modules/esbuild": { license: "MIT", integrity, hasInstallScript: true } } });
  assert.deepEqual(nested, [], "a package is known by its name wherever it lies");
});

test("each fault of a Cargo.lock is found", () => {
  const crate = (/** @type {string} */ rest) => cargoFaults(`[[package]]\nname = "x"\nversion = "1.0.0"\n${rest}`, new Set(["own"]));
  const source = 'source = "registry+https://github.com/rust-lang/crates.io-index"\n';
  const checksum = `checksum = "${"0".repeat(64)}"\n`;
  assert.deepEqual(crate(source + checksum), []);
  assert.match(crate(`source = "git+https://example.org/x"\n${checksum}`)[0] ?? "", /crates.io/);
  assert.match(crate(source)[0] ?? "", /checksum/);
  assert.deepEqual(cargoFaults('[[package]]\nname = "own"\nversion = "0.1.0"\n', new Set(["own"])), []);
});
