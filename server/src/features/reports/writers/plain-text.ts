import type { BlockValue, InlineValue } from '@sortie/contract/reports/report-data.ts'

const inlineText = (inlines: readonly InlineValue[] = []): string =>
  inlines.map(({ type, text, code }) => (type === 'break' ? '\n' : (text ?? code ?? ''))).join('')

/** Blocks as plain text, for comparisons and for formats without styles. */
export const plainText = (blocks: readonly BlockValue[]): string =>
  blocks
    .map(textOf)
    .filter((text) => text !== '')
    .join('\n\n')

const textOf = (block: BlockValue): string => {
  const caption = inlineText(block.caption)
  switch (block.type) {
    case 'heading':
    case 'paragraph':
      return inlineText(block.content)
    case 'list':
      return (block.items ?? [])
        .map((item, index) => `${block.ordered ? `${(block.start ?? 1) + index}.` : '-'} ${plainText(item)}`)
        .join('\n')
    case 'table':
      return [
        caption,
        ...[(block.columns ?? []).map(({ title }) => title), ...(block.rows ?? [])].map((row) =>
          row.map(inlineText).join(' | '),
        ),
      ]
        .filter((line) => line !== '')
        .join('\n')
    case 'figure':
      return caption || (block.alt ?? '')
    case 'code':
      return block.text ?? ''
    case 'exchange':
      return [block.title, block.request, block.response].filter((text) => text != null && text !== '').join('\n\n')
    case 'quote':
    case 'callout':
    case 'footnotes':
      return (block.items ?? []).map(plainText).join('\n')
    default:
      return ''
  }
}
