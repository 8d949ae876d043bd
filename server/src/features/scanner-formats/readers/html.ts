const ENTITIES: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&nbsp;': ' ',
  '&amp;': '&',
}

/** Converts a tool's simple HTML to plain text. The output must only be displayed as text. */
export const plainText = (html: string | undefined): string | undefined =>
  html
    ?.replace(/<\/(?:p|li|div)>|<br\s?\/?>/gi, '\n')
    .replace(/<\/?[a-z][^<>]{0,500}>/gi, '')
    .replace(/&(?:lt|gt|quot|apos|#39|nbsp|amp);/g, (entity) => ENTITIES[entity] as string)
    .trim()
