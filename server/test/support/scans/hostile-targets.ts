const PIECES = [
  '-oN',
  '/tmp/x',
  '--script=default',
  '-iL',
  '/etc/passwd',
  '$(id)',
  '`id`',
  ';id',
  '|id',
  '&&id',
  '\t',
  ' ',
  '*',
  '?',
  '[a-z]',
  '~',
  '\u2010',
  '\u2212',
  '%0a',
  '%00',
  "'",
  '"',
  '\\',
  '@',
  '#',
  '//',
  '..',
  '--',
  '=',
  ',',
  '127.0.0.1',
  '127.0.0.0/30',
  '::1',
  'a.example',
  'b-c.example',
  'xn--bcher-kva.example',
  'http://a.example/',
  'https://b.example:8443/',
  ':80',
  ':99999',
] as const

/** Lines that scanners and shells could misinterpret, the same each time; some are targets. */
export const hostileTargets = (count: number): string[] => {
  let state = 1
  const next = (below: number): number => {
    // Numerical Recipes' linear congruential generator.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const piece = () => PIECES[next(PIECES.length)] as string
  return Array.from({ length: count }, (_, index) => {
    const line = Array.from({ length: 1 + next(4) }, piece).join('')
    // One in four is appended to a unique address, so that it can be a target.
    return index % 4 === 0 ? `https://h${index}.example/${line}` : line
  })
}
