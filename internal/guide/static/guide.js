// The generator of idempotency keys: random bytes of this browser's own.
const button = document.getElementById("gerar");
if (button) {
  button.addEventListener("click", () => {
    document.getElementById("chave").textContent = uuid();
  });
}

// randomUUID exists only where the page is secure (https, or localhost).
function uuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const b = crypto.getRandomValues(new Uint8Array(16));
  b[6] = (b[6] & 0x0f) | 0x40;
  b[8] = (b[8] & 0x3f) | 0x80;
  const hex = Array.from(b, (n) => n.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
