/** In place of the library `entities`, whose table of names every browser has. */

export function decodeHTML(text: string): string {
  const place = document.createElement('textarea');
  place.innerHTML = text;
  return place.value;
}

export { decodeHTML as decodeHTMLStrict };
