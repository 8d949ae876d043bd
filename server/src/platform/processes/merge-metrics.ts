/**
 * The measurements of several processes as one text of Prometheus. Each process labels its own lines, so nothing is
 * added up here; the format wants all lines of one metric to stand together below one heading.
 */
export const mergeMetrics = (texts: readonly string[]): string => {
  const families = new Map<string, { heading: string; lines: string[] }>()
  for (const text of texts) {
    for (const block of text.split('\n\n')) {
      const lines = block.split('\n').filter((line) => line !== '')
      const heading = lines.filter((line) => line.startsWith('#')).join('\n')
      if (heading === '') continue
      const family = families.get(heading) ?? { heading, lines: [] }
      family.lines.push(...lines.filter((line) => !line.startsWith('#')))
      families.set(heading, family)
    }
  }
  return [...families.values()].map(({ heading, lines }) => `${[heading, ...lines].join('\n')}\n`).join('\n')
}
