import { type Imported, listIn, nothingImported, objectIn, textIn } from '../imported.ts'
import { nameOr, usableVariables } from './common.ts'

/** Imports an environment or the globals of Postman. A variable that is switched off is left out, and listed. */
export const importEnvironment = (file: unknown): Imported => {
  const imported = nothingImported()
  const variables = listIn(file, 'values').flatMap((entry) => {
    const name = textIn(entry, 'key') ?? ''
    if (objectIn(entry)['enabled'] === false) {
      imported.problems.push({ position: `variable ${name.slice(0, 100)}`, reason: 'it is switched off, and left out' })
      return []
    }
    return [{ name, value: textIn(entry, 'value') ?? '', secret: textIn(entry, 'type') === 'secret' }]
  })
  imported.environments.push({
    name: nameOr(textIn(file, 'name'), 'Environment'),
    variables: usableVariables(variables, imported.problems),
  })
  return imported
}
