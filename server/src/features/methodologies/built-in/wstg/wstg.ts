import type { BuiltIn } from '../built-in.ts'
import { CHAPTERS_1_TO_6 } from './chapters-1-to-6.ts'
import { CHAPTERS_7_TO_12 } from './chapters-7-to-12.ts'

const GUIDE = 'https://owasp.org/www-project-web-security-testing-guide/v42'

/** File names of the guide that differ from the title of their test. */
const FILE_NAMES: Readonly<Record<string, string>> = {
  'Testing for Improper Error Handling': 'Testing_For_Improper_Error_Handling',
  'Testing for DOM-Based Cross Site Scripting': 'Testing_for_DOM-based_Cross_Site_Scripting',
}

const addressOf = (folder: string, number: string, title: string): string =>
  `${GUIDE}/4-Web_Application_Security_Testing/${folder}/${number}-${FILE_NAMES[title] ?? title.replaceAll(' ', '_')}`

/**
 * Ids and names of the tests of the OWASP Web Security Testing Guide, version 4.2, with texts of our own and a link to
 * each page.
 */
export const wstg: BuiltIn = {
  slug: 'wstg42',
  name: 'OWASP Web Security Testing Guide',
  version: '4.2',
  description: `Structure (ids and names) of the OWASP Web Security Testing Guide 4.2, ${GUIDE}/. © OWASP Foundation, licensed under [CC BY-SA 4.0](https://creativecommons.org/licenses/by-sa/4.0/). The short texts of the items are not from the guide.`,
  items: [...CHAPTERS_1_TO_6, ...CHAPTERS_7_TO_12].flatMap(([prefix, group, folder, tests]) =>
    tests.map(([title, text], index) => {
      const number = String(index + 1).padStart(2, '0')
      return {
        key: `WSTG-${prefix}-${number}`,
        title,
        description: `${text}\n\n[Read the test in the OWASP guide](${addressOf(folder, number, title)})`,
        group,
        appliesTo: ['domain', 'url'] as const,
      }
    }),
  ),
}
