// Builds dist/ from the packages that package-lock.json pins, and writes
// VENDOR.md. Run by `go generate ./internal/dashboard` after `npm ci`.
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const icons = [
  "arrow-left", "arrow-right", "building-2", "check", "chevron-down", "chevrons-up-down", "circle-alert", "circle-check", "clipboard-list",
  "copy", "download", "file-text", "house", "key-round", "list-checks", "log-out", "mail", "menu", "monitor-smartphone", "plus",
  "refresh-cw", "repeat", "scroll-text", "search", "shield-check", "trash-2", "triangle-alert", "user-round", "users", "wallet",
  "package", "calendar", "sliders-horizontal", "wrench", "receipt", "handshake", "book-open", "contact",
];

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist/licenses", { recursive: true });

execFileSync("node_modules/.bin/tailwindcss", ["--input", "input.css", "--output", "dist/app.css", "--minify"], { stdio: ["ignore", "ignore", "inherit"] });
copyFileSync("app.js", "dist/app.js");
copyFileSync("favicon.svg", "dist/favicon.svg");
copyFileSync("node_modules/htmx.org/dist/htmx.min.js", "dist/htmx.min.js");
for (const part of ["latin", "latin-ext"]) {
  copyFileSync(`node_modules/@fontsource-variable/inter/files/inter-${part}-wght-normal.woff2`, `dist/inter-${part}.woff2`);
}

const symbols = icons.map((name) => {
  const svg = readFileSync(`node_modules/lucide-static/icons/${name}.svg`, "utf8");
  const inner = svg.replace(/<!--.*?-->/gs, "").replace(/^.*?<svg[^>]*>/s, "").replace(/<\/svg>\s*$/, "").replace(/\s*\n\s*/g, "");
  return `<symbol id="${name}" viewBox="0 0 24 24">${inner}</symbol>`;
});
writeFileSync("dist/icons.svg", `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join("\n")}\n</svg>\n`);

mkdirSync("../testdata", { recursive: true });
copyFileSync("node_modules/axe-core/axe.min.js", "../testdata/axe.min.js");

const vendored = [
  ["Tailwind CSS", "tailwindcss", "dist/app.css", "part of the built style sheet"],
  ["daisyUI", "daisyui", "dist/app.css", "part of the built style sheet"],
  ["htmx", "htmx.org", "dist/htmx.min.js", "as published"],
  ["Inter", "@fontsource-variable/inter", "dist/inter-latin.woff2", "as published"],
  ["Inter", "@fontsource-variable/inter", "dist/inter-latin-ext.woff2", "as published"],
  ["Lucide", "lucide-static", "dist/icons.svg", "the icons named in build.mjs, as one sprite"],
  ["axe-core", "axe-core", "../testdata/axe.min.js", "as published; for tests only, not in the binary"],
];
const rows = vendored.map(([name, pkg, file, how]) => {
  const { version, license } = JSON.parse(readFileSync(`node_modules/${pkg}/package.json`, "utf8"));
  const sha = createHash("sha256").update(readFileSync(file)).digest("hex");
  return `| ${name} | ${version} | ${license} | \`${file}\` | ${how} | \`${sha}\` |`;
});
for (const [, pkg] of vendored) {
  const file = ["LICENSE", "LICENSE.md", "LICENSE.txt"].find((f) => { try { readFileSync(`node_modules/${pkg}/${f}`); return true; } catch { return false; } });
  if (file) copyFileSync(`node_modules/${pkg}/${file}`, `dist/licenses/${pkg.replace(/[@/]/g, "_").replace(/^_/, "")}.txt`);
}
writeFileSync("VENDOR.md", `# What others wrote

Written by build.mjs; do not edit. \`package-lock.json\` pins the packages and their hashes; the licences are in \`dist/licenses\`.

| work | version | licence | file | how | SHA-256 |
|---|---|---|---|---|---|
${rows.join("\n")}

\`dist/app.js\` and \`dist/favicon.svg\` are our own.
`);
