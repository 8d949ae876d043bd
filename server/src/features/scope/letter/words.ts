import type { Effect } from '../rules/rule-set.ts'

/**
 * The meaning of words in a letter: an effect, `except` (what follows has the opposite effect), or `doubt` (words that
 * can reverse an effect or make it conditional, so that a user must decide).
 */
type Signal = Effect | 'except' | 'doubt'

export interface Mention {
  signal: Signal
  /** Index in the folded text. */
  at: number
}

const SCOPE = '(?:scopes?|perimetre|portee|umfang(?:s|es)?|(?:pruf|test)umfang(?:s|es)?|geltungsbereich(?:s|es)?)'
const TESTED =
  '(?:test\\w*|scan\\w*|touch\\w*|attack\\w*|access\\w*|prob\\w*|assess\\w*|target\\w*|includ\\w*|allowed|permitted|authori[sz]ed|part of)'
const GETESTET =
  '(?:test\\w*|getestet|pruf\\w*|gepruft|scan\\w*|gescannt|angreif\\w*|angegriffen|beruhr\\w*|erlaubt|gestattet|zulassig|enthalten|inbegriffen|freigegeben|teil)'

/** In the order in which they are tried at each position: longer phrases first. All are in the form of `folded`. */
const PHRASES: readonly (readonly [Signal, readonly string[]])[] = [
  [
    'doubt',
    [
      `(?:not|nothing|none|no longer|never|nicht|nichts|kein\\w*|pas|rien)(?: \\w+){0,2} (?:out ?of(?: the)? ?scope|outside|exclud\\w*|ausgeschlossen\\w*|ausserhalb|exclus?e?s?|hors)`,
    ],
  ],
  [
    'deny',
    [
      `(?:(?:do|must|may|shall|should|can|are|is) ?not|(?:don|mustn|shouldn|can|aren|isn) t|never|not|no)(?: to)?(?: be)?(?: in)?(?: the)? (?:${SCOPE}|${TESTED})`,
      `(?:out|outside)(?: of)?(?: the| our)? ?${SCOPE}`,
      'out ?of ?scope|outofscope|oos|off ?limits|hands off|exclude[ds]?|exclusions?|exclusive of|exempt\\w*|forbidden|prohibited|not ?allowed',
      'leave (?:\\w+ ){0,2}(?:alone|out)|keep (?:\\w+ ){0,2}(?:away|off|out)|stay (?:away|off|out)|avoid\\w*|ignore\\w*|skip\\w*|omit\\w*',
      '(?:block|black|deny) ?list\\w*|denied|deny|disallow\\w*|unauthori[sz]ed|ineligible|no ?go|taboo|tabu',
      `nicht (?:\\w+ )?(?:zu |im |in |vom |zum )?(?:${SCOPE}|${GETESTET})`,
      `ausserhalb(?: des| vom)? ?${SCOPE}|ausserhalb|ausgeschlossen\\w*|ausschluss\\w*|ausschlusse\\w*|ausgenommen\\w*|verboten\\w*|untersagt\\w*|gesperrt\\w*|finger weg`,
      `hors(?: du| de| de la)? ?${SCOPE}|hors|(?:ne )?pas (?:\\w+ )?(?:dans|inclu\\w*|a tester|teste\\w*|autorise\\w*|toucher|scanner|attaquer)|non (?:inclu\\w*|autorise\\w*|teste\\w*)`,
      'exclue?s?|exclure|interdit\\w*|a eviter',
    ],
  ],
  [
    'except',
    [
      'with the exception|all but|everything but|but not|apart from|other than|save for|excluding|except\\w*|minus',
      'mit ausnahme\\w*|ausnahme\\w*|ausser|bis auf|a l exception|sauf|hormis',
    ],
  ],
  [
    'caution',
    [
      'with (?:great |special |extra )?(?:care|caution)|cautio\\w*|careful\\w*|fragile?s?|sensitive|delicate?\\w*|gentl[ey]|read only',
      'vorsicht\\w*|behutsam\\w*|sorgfalt\\w*|empfindlich\\w*|prudence|precautions?|avec soin|delicat\\w*',
    ],
  ],
  [
    'allow',
    [
      `(?:in|within|part of)(?: the| our)? ?${SCOPE}|inscope|allow(?:ed|list\\w*)?|permitted|authori[sz]ed|(?:may|can|shall|should|must) be (?:tested|scanned|attacked)|to be tested`,
      'included|eligible|approved|white ?list\\w*',
      `(?:im|innerhalb)(?: des| vom)? ?${SCOPE}|erlaubt\\w*|gestattet\\w*|freigegeben\\w*|zu (?:testen\\w*|prufen\\w*)|(?:durfen|darf|werden|konnen) (?:getestet|gepruft)`,
      `dans (?:le |la )?${SCOPE}|autorise\\w*|inclus\\w*|a tester`,
    ],
  ],
  [
    'doubt',
    [
      'not|no|nor|never|neither|without|none|nothing|cannot|[a-z]{2,8}n t|false|nicht|nichts|nein|kein\\w*|nie|niemals|ohne|weder|pas|ne|non|jamais|sans|ni|niet|geen',
      'only|unless|until|if|when|after|before|nur|falls|wenn|erst|sofern|seulement|uniquement|si|apres|avant',
      `third part\\w*|3rd part\\w*|hosted by|owned by|provider\\w*|vendor\\w*|dritt\\w*|fremd\\w*|tiers|${SCOPE}`,
      'removed?|decommission\\w*|withdrawn|deprecated|gestrichen|entfernt|retire\\w*|supprime\\w*|fuera|fuori|fora|buiten|esclus\\w*|excluid\\w*',
    ],
  ],
]

const MENTIONS = new RegExp(
  PHRASES.map(([signal, phrases], index) => `(?<${signal}${index}>\\b(?:${phrases.join('|')})\\b)`).join('|'),
  'g',
)

/** Signs for "no", and letters of other scripts, which are not parsed and may look like Latin ones. */
const UNREADABLE = /[❌🚫⛔✗✘✖]|~~|(?=\p{L})\P{Script=Latin}/u

/**
 * Lower case without accents, invisible characters and hyphens, so that `Out‑of‑Scope`, `außerhalb` and `périmètre`
 * match alike.
 */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}|\p{Cf}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[\s\-_/'’‘`´‐‑‒–—]+/g, ' ')

/** A line with more of them is not parsed to its end: it is in doubt. */
const MAX_MENTIONS = 24
/** In UTF-16 units: folding makes some characters longer. */
const MAX_FOLDED = 3_000
const IN_DOUBT = ['allow', 'deny', 'doubt'] as const

/** @param text in the form of `folded` */
export const mentionsIn = (text: string): Mention[] => {
  const inDoubt = IN_DOUBT.map((signal) => ({ signal, at: text.length }))
  if (text.length > MAX_FOLDED) return inDoubt
  const mentions: Mention[] = []
  for (const match of text.matchAll(MENTIONS)) {
    const group = PHRASES.findIndex(([signal], index) => match.groups?.[`${signal}${index}`] !== undefined)
    mentions.push({ signal: PHRASES[group]?.[0] ?? 'doubt', at: match.index })
    if (mentions.length === MAX_MENTIONS) return [...mentions, ...inDoubt]
  }
  const unreadable = UNREADABLE.exec(text)
  return unreadable ? [...mentions, { signal: 'doubt', at: unreadable.index }] : mentions
}

/** The effect of a heading on the lines below it; null if uncertain. @param before the effect that applies so far */
export const effectOfHeading = (mentions: readonly Mention[], before: Effect | null): Effect | null => {
  const has = (signal: Signal) => mentions.some((mention) => mention.signal === signal)
  if (has('deny')) return has('allow') || has('except') ? null : 'deny'
  if (has('except')) return has('allow') || before === 'allow' ? 'deny' : null
  if (has('caution')) return 'caution'
  return has('allow') && !has('doubt') ? 'allow' : null
}

/**
 * The effect on a pattern at this index of a line; null if uncertain. Never `allow` if the line has a word of
 * exclusion.
 *
 * @param section the effect of the heading above
 * @param isLabelled true if the line starts with a label for it ("In scope: ...")
 */
export const effectOnLine = (
  mentions: readonly Mention[],
  at: number,
  section: Effect | null,
  isLabelled: boolean,
): Effect | null => {
  const has = (signal: Signal) => mentions.some((mention) => mention.signal === signal)
  const before = mentions.findLast((mention) => mention.at < at && mention.signal !== 'doubt')?.signal
  if (has('deny'))
    return (!has('allow') && !has('except')) || before === 'deny' || (before === 'except' && section !== 'deny')
      ? 'deny'
      : null
  if (has('except')) return (before === 'except') === (section === 'deny') ? null : 'deny'
  if (has('caution')) return section === 'deny' ? 'deny' : 'caution'
  if (has('allow')) return !has('doubt') && (isLabelled || section === null || section === 'allow') ? 'allow' : null
  return has('doubt') && section === 'allow' ? null : section
}
