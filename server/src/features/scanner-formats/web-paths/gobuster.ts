import { canonicalAddress } from '../../inventory/sightings/canonical.ts'
import { dnsRecordSighting, InvalidSighting, type Sighting } from '../../inventory/sightings/sightings.ts'
import { requireName } from '../fields/names.ts'
import { plainLine } from '../fields/noise.ts'
import { textLines } from '../readers/lines.ts'
import { itemsOf } from '../readers/records.ts'
import type { Format, Item, ReadOptions } from '../registry/format.ts'
import { BaseUrl, pathSighting } from './paths.ts'

/** `/admin (Status: 301) [Size: 178] [--> https://app.example.com/admin/]`; with `-e` the whole address. */
const PATH =
  /^(?:Found: )?(\/?\S{1,4096})\s{1,200}\(?Status: (\d{3})\)?(?:\s+\[Size: (\d{1,15})\])?(?:\s+\[--> (\S{1,4096})\])?$/
/** `Found: app.example.com` of the mode `dns`, with `-i` also the addresses. */
const NAME = /^Found: ([A-Za-z0-9._-]{1,253})(?: \[([^\]]{1,1000})\])?$/

/** Above the results in a terminal; it names the address. */
const BANNER = /^={20,}$/
const ADDRESS = /^\[\+\] Url:\s{1,50}(https?:\/\/\S{1,2000})$/

const isLine = (line: string): boolean => PATH.test(line) || NAME.test(line)

/** Text of gobuster: paths of the mode `dir`, hosts of `vhost`, names of `dns`. */
export const gobuster: Format = {
  id: 'gobuster',
  name: 'gobuster text (dir, vhost, dns)',
  recognisedBy: 'lines such as "/admin (Status: 301) [Size: 178]" or "Found: app.example.com"',
  knowsCoverage: false,
  statedTimes: () => ({}),
  isIn: (head) =>
    head.shape === 'text' &&
    (isLine(head.line) ||
      (BANNER.test(head.line) &&
        head.text
          .slice(0, 8_192)
          .split(/\r?\n/)
          .some((line) => isLine(plainLine(line))))),
  read: (text, _, options) => readLines(text, options),
}

/** Lines of its banner, its progress and its errors. */
const ASIDE = /^(?:[=#]|\[[+!-]\]|Gobuster v|by OJ Reeves|Starting gobuster|Finished|Progress: |Error: )/

async function* readLines(text: AsyncIterable<string>, options: ReadOptions): AsyncGenerator<Item> {
  let base = new BaseUrl(options)
  for await (const { line, number } of textLines(text)) {
    const address = options.baseUrl === undefined ? ADDRESS.exec(line)?.[1] : undefined
    if (address !== undefined) base = new BaseUrl({ ...options, baseUrl: address })
    if (!ASIDE.test(line)) yield* itemsOf(`line ${number}`, line, (each) => lineItems(each, base))
  }
}

function* lineItems(line: string, base: BaseUrl): Generator<Item | Sighting> {
  const [, written, status, length, location] = PATH.exec(line) ?? []
  // The mode `vhost` names hosts, which may not exist in any name server.
  const isHost = written !== undefined && line.startsWith('Found: ')
  if (written !== undefined && !isHost) {
    yield pathSighting({ url: base.join(written), status, length, location })
    return
  }
  const [, asked, addresses = ''] = NAME.exec(line) ?? []
  if (written === undefined && asked === undefined) throw new InvalidSighting('is not a line of gobuster')
  const name = requireName(asked ?? (written as string))
  yield { type: 'name', position: '', name }
  for (const value of addresses.split(',').map(canonicalAddress))
    if (value !== undefined) yield dnsRecordSighting({ name, type: 'A', value })
}
