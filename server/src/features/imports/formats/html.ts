const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&#39;': "'", '&nbsp;': ' ', '&amp;': '&' }

/** Text that a tool wrote in a little HTML, as people read it. What comes out is text, and is never shown as anything else. */
export const plainText = (html: string | undefined): string | undefined =>
  html
    ?.replace(/<\/(?:p|li|div)>|<br\s?\/?>/gi, '\n')
    .replace(/<\/?[a-z][^<>]{0,500}>/gi, '')
    .replace(/&(?:lt|gt|quot|apos|#39|nbsp|amp);/g, (entity) => ENTITIES[entity] as string)
    .trim()
