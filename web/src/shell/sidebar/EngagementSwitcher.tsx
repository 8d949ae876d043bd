import { Combobox, Text, UnstyledButton, useCombobox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf, query } from '../../api/api.ts'
import { paths } from '../../paths.ts'
import { IconSelector } from '../../ui/icons.tsx'
import { keepPrevious } from '../../ui/lists/keep-previous.ts'
import { IconCheck } from '../../ui/page-icons.tsx'
import { useOrganization } from '../context/organization.tsx'
import classes from './menus.module.css'

const SHOWN = 20

/** Shows the open engagement, and switches to another: the most recently changed, or by name. */
export const EngagementSwitcher = ({ name, currentId }: { name: string; currentId: string }) => {
  const organization = useOrganization()
  const router = useRouter()
  const [text, setText] = useState('')
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => {
      setText('')
      combobox.resetSelectedOption()
      combobox.focusTarget()
    },
  })
  const q = text.trim()
  const found = useQuery({
    ...query(organization.id, 'listEngagements', { query: { perPage: SHOWN, sort: 'updatedAt', ...(q && { q }) } }),
    placeholderData: keepPrevious([organization.id, 'listEngagements']),
    enabled: combobox.dropdownOpened,
  })
  const engagements = found.data?.data ?? []
  return (
    <Combobox
      store={combobox}
      position="bottom-start"
      width={280}
      transitionProps={{ duration: 0 }}
      onOptionSubmit={(id) => {
        combobox.closeDropdown()
        void router.navigate({ href: paths.engagement(organization.slug, id) })
      }}
    >
      <Combobox.Target targetType="button">
        <UnstyledButton className={classes.trigger} onClick={() => combobox.toggleDropdown()}>
          <span className="visually-hidden">Engagement: </span>
          <Text component="span" size="sm" fw={600} truncate className={classes.name}>
            {name}
          </Text>
          <IconSelector size={14} aria-hidden />
        </UnstyledButton>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          aria-label="Find an engagement"
          placeholder="Find an engagement"
          value={text}
          maxLength={200}
          onChange={(event) => {
            setText(event.currentTarget.value)
            combobox.resetSelectedOption()
          }}
        />
        <Combobox.Options mah={320} {...(classes.options && { className: classes.options })}>
          {engagements.map((engagement) => (
            <Combobox.Option key={engagement.id} value={engagement.id} active={engagement.id === currentId}>
              <span className={classes.option}>
                <span>{engagement.name}</span>
                {engagement.id === currentId && <IconCheck size={14} aria-label="current" />}
              </span>
            </Combobox.Option>
          ))}
          {found.data && engagements.length === 0 && <Combobox.Empty>No engagement matches</Combobox.Empty>}
          {found.error && !found.data && <Combobox.Empty>{messageOf(found.error)}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
