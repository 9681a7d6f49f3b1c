/** A short digest of a text. */

/** CRC-32 of an ASCII text, as eight digits: tells mistakes of different games apart. @param {string} text */
export function digest(text) {
  let crc = -1;
  for (const letter of text) {
    crc ^= letter.charCodeAt(0);
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (~crc >>> 0).toString(16).padStart(8, "0");
}
