import { canonicalAddress, canonicalHost } from '../../inventory/sightings/canonical.ts'
import { cleanNumber } from '../../inventory/sightings/clean.ts'
import { requireUrl, type Sighting } from '../../inventory/sightings/sightings.ts'
import { httpResponseSighting, originOf, technologySighting } from '../../inventory/sightings/web-sightings.ts'
import { type Fields, itemsOf, listOf, objectOf, recordItems, textIn, wordsIn } from '../readers/records.ts'
import type { Format, Item } from '../registry/format.ts'

/** Plugins that describe the response, not a program. */
const NO_PROGRAMS = new Set(
  'Title,HTTPServer,IP,Country,RedirectLocation,UncommonHeaders,Cookies,HttpOnly,Script,HTML5,Email,Frame,Meta-Refresh-Redirect,PasswordField,MetaGenerator,X-Frame-Options,X-XSS-Protection,Strict-Transport-Security,X-UA-Compatible,X-Powered-By,Open-Graph-Protocol,Content-Language,Via-Proxy,Allow,WWW-Authenticate,Access-Control-Allow-Methods'.split(
    ',',
  ),
)

/** JSON of WhatWeb (`--log-json`). */
export const whatweb: Format = {
  id: 'whatweb',
  name: 'WhatWeb JSON',
  recognisedBy: 'rows with target, http_status and plugins',
  knowsCoverage: false,
  statedTimes: () => ({}),
  isIn: (head) => head.shape === 'json' && ['target', 'http_status', 'plugins'].every((key) => head.keys.has(key)),
  read: (text) => recordItems(text, rowItems, FIELDS),
}

const FIELDS = new Set(['target', 'http_status', 'request_config', 'plugins'])

/** What plugins found in the response in addition to programs: `Email: info@example.com`. */
const factsIn = (plugins: Fields): string[] =>
  Object.entries(plugins).flatMap(([name, found]) => {
    const words = wordsIn(objectOf(found)['string']).join(', ')
    return !NO_PROGRAMS.has(name) || SHOWN.has(name) || words === '' ? [] : [`${name}: ${words}`]
  })

/** Fields of the response. */
const SHOWN = new Set(['Title', 'HTTPServer', 'IP', 'RedirectLocation'])

function* rowItems(row: Fields): Generator<Sighting | Item> {
  // The last row of its list is empty.
  if (Object.keys(row).length === 0) return
  const url = requireUrl(row['target'], 'target')
  const plugins = objectOf(row['plugins'])
  const first = (name: string) => textIn(listOf(objectOf(plugins[name])['string'])[0])
  const address = canonicalAddress(first('IP') ?? '')
  yield httpResponseSighting({
    url: url.href,
    address,
    status: cleanNumber(row['http_status']),
    title: first('Title'),
    server: first('HTTPServer'),
    location: first('RedirectLocation'),
    more: { extracted: factsIn(plugins) },
  })
  const host = canonicalHost(url.hostname) as string
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  for (const [name, found] of Object.entries(plugins)) {
    if (NO_PROGRAMS.has(name)) continue
    const version = wordsIn(objectOf(found)['version']).join(', ') || undefined
    yield* itemsOf('', row, () => [technologySighting({ asset: originOf(url), host, address, port, name, version })])
  }
}
