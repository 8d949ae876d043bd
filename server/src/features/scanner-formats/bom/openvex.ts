import { vulnerabilitySighting } from '../../inventory/sightings/finding-sightings.ts'
import { InvalidSighting, type Sighting } from '../../inventory/sightings/sightings.ts'
import { documentParts } from '../readers/document-parts.ts'
import { type Fields, itemsOf, listOf, objectOf, textIn } from '../readers/records.ts'
import type { Format, Item } from '../registry/format.ts'
import { TOOLS_OF_VEX, vexVerdict } from './vex.ts'

/** OpenVEX: statements about known vulnerabilities of products. They change findings and add none. */
export const openvex: Format = {
  id: 'openvex',
  name: 'OpenVEX JSON',
  recognisedBy: 'JSON with statements and a context of openvex.dev',
  knowsCoverage: false,
  statedTimes: () => ({ patterns: [/"timestamp"\s{0,5}:\s{0,5}"([^"\\]{1,40})"/g] }),
  isIn: (head) =>
    head.shape === 'json' &&
    head.keys.has('statements') &&
    (head.keys.has('@context') || /openvex\.dev/.test(head.text.slice(0, 10_000))),
  read: readOpenvex,
}

async function* readOpenvex(text: AsyncIterable<string>): AsyncGenerator<Item> {
  let undecided = 0
  for await (const part of documentParts(text, ['statements.*'])) {
    if (part.type === 'cut') yield part
    else {
      const statement = objectOf(part.value)
      if (!vexVerdict(textIn(statement['status']))) undecided++
      else yield* itemsOf(part.position, statement, statementSightings)
    }
  }
  if (undecided > 0)
    yield { type: 'warning', text: `Statements that decide nothing (under investigation): ${undecided}.` }
}

function* statementSightings(statement: Fields): Generator<Sighting> {
  const vulnerability = objectOf(statement['vulnerability'])
  const name = textIn(statement['vulnerability']) ?? textIn(vulnerability['name']) ?? textIn(vulnerability['@id'])
  if (name === undefined) throw new InvalidSighting('the statement names no vulnerability')
  const verdict = vexVerdict(textIn(statement['status']))
  const reasons = [
    statement['justification'],
    statement['impact_statement'],
    statement['action_statement'],
    statement['status_notes'],
  ]
  const analysis = [textIn(statement['status']), ...reasons.map(textIn)].filter((text) => text !== undefined).join(': ')
  // A scanner reports it under one of its names, such as that of GitHub.
  const names = new Set([name, ...listOf(vulnerability['aliases']).flatMap((alias) => textIn(alias) ?? [])])
  for (const asset of productsIn(statement)) {
    for (const tool of TOOLS_OF_VEX)
      for (const ruleId of names)
        yield vulnerabilitySighting({ tool, ruleId, asset, severity: null, verdict, analysis })
  }
}

/** Products and their parts, each by its package URL or its id. */
const productsIn = (statement: Fields): Set<string> => {
  const products = listOf(statement['products'])
  const parts = products.flatMap((product) => listOf(objectOf(product)['subcomponents']))
  const ids = [...products, ...parts].map(
    (product) =>
      textIn(product) ?? textIn(objectOf(objectOf(product)['identifiers'])['purl']) ?? textIn(objectOf(product)['@id']),
  )
  return new Set(ids.filter((id) => id !== undefined))
}
