import { RETIRED_PHRASES } from './retired-phrases.ts'

/** A word or phrase that the project no longer uses, with its replacement. */
export interface RetiredWord {
  word: string
  instead: string
  /** Matches the retired use only. */
  pattern: RegExp
  /** Searched files; all by default. */
  in?: RegExp
  /** Legitimate uses: each matches the text around a hit. */
  except?: readonly RegExp[]
}

const SCANNING = /features\/(?:scans|imports|inventory|scanner-formats)\//

/** The system user `nobody`, and addresses, ids and values of the API that contain the word. */
const AS_VALUE = [
  /['`](?:somebody|nobody|everybody)['`]/,
  /(?:somebody|nobody)[@.\-/]/,
  /[-/@](?:somebody|nobody|everybody)\b/,
  /user nobody\b/,
]

/** Patterns of the letter parser match the words of clients. */
const CLIENT_WORDS = /\(\?:\\\\w\+ \)|leave \(|\(\?:do\|must\|may\|shall|may\|can\|shall/

/** The one list of retired words. docs/glossary.md has the terms that replace them. */
export const RETIRED_WORDS: readonly RetiredWord[] = [
  { word: 'anew', instead: 'again', pattern: /\banew\b/i },
  { word: 'whoever', instead: 'the user, a caller', pattern: /\bwho(?:m)?ever\b/i },
  { word: 'somebody', instead: 'someone, another user', pattern: /\b[Ss]omebody\b/, except: AS_VALUE },
  { word: 'nobody', instead: 'no one', pattern: /\b[Nn]obody\b/, except: AS_VALUE },
  {
    word: 'everybody',
    instead: 'everyone',
    pattern: /\b[Ee]verybody\b/,
    except: [...AS_VALUE, /\[\[Everybody\]\]|'Everybody'/, /It's a Secret to Everybody/],
  },
  { word: 'anybody', instead: 'anyone', pattern: /\b[Aa]nybody\b/ },
  { word: 'is told', instead: 'learns, receives, is notified', pattern: /\btold\b/i, except: [/'told', \.\.\./] },
  { word: 'but for', instead: 'except', pattern: /\bbut for\b/i },
  { word: 'parted by', instead: 'separated by', pattern: /\bparted\b/i },
  {
    word: 'taken back',
    instead: 'undone, reverted, revoked',
    pattern: /\b(?:took|takes?|taken|taking) back\b|\btake-back\b/i,
  },
  { word: 'judge anew', instead: 're-evaluate', pattern: /judge[a-z]*[ -]?anew/i },
  {
    word: 'leads (of a scan)',
    instead: 'scan inputs',
    pattern: /\bleads\b|\b[A-Za-z]*Leads?(?=[A-Z(;,:\s])/,
    in: SCANNING,
  },
  {
    word: 'contacts (of a scan)',
    instead: 'probes',
    pattern: /\bcontacts\b|\bCONTACTS\b|_CONTACTS\b|Contacts\b/,
    in: SCANNING,
  },
  { word: 'share… (a function)', instead: 'lock…ForShare', pattern: /\bshare[A-Z]/ },
  {
    word: 'take… (a function)',
    instead: 'lock…, consume…, parse…, undo…',
    pattern: /\b_?take[A-Z]/,
    except: [/Profiler\.takePreciseCoverage/, /\.take(?:Error|Warnings)\(/],
  },
  { word: 'said', instead: 'stated, reported', pattern: /\b[Ss]aid\b|\bsaid(?=[A-Z])|Said\b/, except: [/'said', /] },
  { word: 'beside', instead: 'in addition to, next to', pattern: /\bbesides?\b|\bbeside(?=[A-Z])/i },
  { word: 'alone', instead: 'only', pattern: /\balone\b/i, except: [CLIENT_WORDS] },
  {
    word: 'is no X',
    instead: 'is not an X; must be an X',
    pattern: /(?<!here )\b(?:is|are|was|were) no (?!longer\b|more\b|such\b|one\b)[A-Za-z]/,
  },
  { word: 'stands', instead: 'is', pattern: /\bstands?\b/i, except: [/\bstand-in\b/, /\bden Stand\b/] },
  { word: 'lies', instead: 'is', pattern: /\blies\b/i },
  { word: 'it begins, it is through', instead: 'started, finished', pattern: /\bIt begins\.(?!\[)|\bit is through\b/i },
  { word: 'room', instead: 'quota, space', pattern: /\brooms?\b|\broomFor|\bRoom\b|[a-z]Room\b/i },
  { word: 'goes away', instead: 'is removed', pattern: /\b(?:go|goes|went|gone) away\b|\bgoAway\b/i },
  {
    word: 'a work',
    instead: 'background job',
    pattern:
      /\b(?:(?:a|this) works?|one work)\b|\bworkId\b|\bWork(?:Row|Kind|Job|Session|Process|Insert|Stopped)\b|\b[a-z]+Work\b|\blong_work\b/,
  },
  { word: 'forgotten password', instead: 'forgot password', pattern: /\bForgotten password\b/ },
  { word: 'for ever', instead: 'forever', pattern: /\bfor ever\b/i },
  { word: 'mended', instead: 'fixed', pattern: /\bmend(?:ed|s)?\b/i },
  { word: 'thereby', instead: 'so', pattern: /\b(?:thereby|hitherto|withal)\b/i },
  ...RETIRED_PHRASES,
  { word: 'shall', instead: 'must', pattern: /\bshall\b/i, except: [CLIENT_WORDS] },
]
