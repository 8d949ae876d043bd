import type { Labels } from '../labels/labels.ts'
import type { ReportSource } from './read-source.ts'

export interface Person {
  name: string
  role: string
  email: string
  phone: string
}

export const teamOf = ({ team }: ReportSource, labels: Labels): Person[] =>
  team.map(({ name, email, part }) => ({
    name,
    role: part === 'lead' ? labels.lead : labels.tester,
    email,
    phone: '',
  }))

/** Of the client, and of the engagement. */
export const contactsOf = ({ frame }: ReportSource): Person[] => {
  const people = [frame.contacts, frame.client_contacts].flatMap((list) => (Array.isArray(list) ? list : []))
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const known = new Set<string>()
  return people.flatMap((person: Record<string, unknown>) => {
    const one = {
      name: text(person['name']),
      role: text(person['role']),
      email: text(person['email']),
      phone: text(person['phone']),
    }
    const key = JSON.stringify(one)
    if (known.has(key)) return []
    known.add(key)
    return [one]
  })
}
