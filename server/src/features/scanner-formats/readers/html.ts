const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', amp: '&' }

/** Converts a tool's simple HTML to plain text. The output must only be displayed as text. */
export const plainText = (html: string | undefined): string | undefined =>
  html
    ?.replace(/<li(?:\s[^<>]{0,200})?>/gi, '- ')
    .replace(/<\/(?:p|li|div|tr|h[1-6]|pre)>|<br\s?\/?>/gi, '\n')
    .replace(/<\/?[a-z][^<>]{0,500}>/gi, '')
    .replace(
      /&(?:(lt|gt|quot|apos|nbsp|amp)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi,
      (written, name?: string, decimal?: string, hex?: string) => {
        if (name !== undefined) return ENTITIES[name.toLowerCase()] as string
        const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal)
        return code > 0x10_ff_ff || code === 0 ? written : String.fromCodePoint(code)
      },
    )
    .trim()
