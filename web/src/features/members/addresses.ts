/** The addresses in a pasted text, each once: `Ada Byron <ada@example.com>, grace@example.com`. */
export const parseAddresses = (text: string): string[] => {
  const found = new Map<string, string>()
  for (const part of text.split(/[\s,;<>"']+/)) {
    if (part.includes('@') && !found.has(part.toLowerCase())) found.set(part.toLowerCase(), part)
  }
  return [...found.values()]
}
