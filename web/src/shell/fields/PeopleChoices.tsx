import { ChoiceItem } from '../../ui/dialogs/DropdownMenu.tsx'
import { Person } from '../../ui/people/Person.tsx'
import { useAccount } from '../context/session.tsx'
import { useMembers } from '../context/use-members.ts'

const DIGITS = 9

interface PeopleChoicesProps {
  /** Absent: all members of the organization. */
  people?: readonly { id: string; name: string }[]
  onChoose: (id: string | null) => void
}

/** Items of a menu: no one, the user, and the others by name; the first nine have a digit. */
export const PeopleChoices = ({ people, onChoose }: PeopleChoicesProps) => {
  const self = useAccount()
  const all = useMembers().data ?? []
  const members = people ?? all
  const sorted = [...members.filter(({ id }) => id === self.id), ...members.filter(({ id }) => id !== self.id)]
  return (
    <>
      <ChoiceItem hint="0" onClick={() => onChoose(null)}>
        Unassigned
      </ChoiceItem>
      {sorted.map(({ id, name }, index) => (
        <ChoiceItem key={id} {...(index < DIGITS && { hint: String(index + 1) })} onClick={() => onChoose(id)}>
          <Person name={name} />
        </ChoiceItem>
      ))}
    </>
  )
}
