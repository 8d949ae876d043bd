import { Button, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { EffectLabel, RULE_KIND_LABELS, type ScopeRule } from '../../../domain/verdicts.tsx'
import { Properties } from '../../../ui/lists/Properties.tsx'
import { Markdown } from '../../../ui/text/Markdown.tsx'
import { CopyId } from '../../../ui/values/CopyId.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import classes from '../scope.module.css'
import { useMayChangeScope } from '../use-may-change-scope.ts'
import { DeleteRuleDialog } from './DeleteRuleDialog.tsx'
import { RuleForm } from './RuleForm.tsx'

/** Preview of a rule next to the list. Effect and note are editable, the pattern is not. */
export const RulePeek = ({ rule, onClose }: { rule: ScopeRule; onClose: () => void }) => {
  const { mayChange } = useMayChangeScope()
  const [deleting, setDeleting] = useState(false)
  return (
    <Stack gap="md">
      <Title order={2} className={classes.title}>
        {rule.pattern}
      </Title>
      <Properties
        items={[
          ...(mayChange ? [] : [['Effect', <EffectLabel key="effect" effect={rule.effect} />] as const]),
          ['Kind', RULE_KIND_LABELS[rule.kind]],
          ['Added', <TimeAgo key="added" iso={rule.createdAt} />],
          ['Changed', <TimeAgo key="changed" iso={rule.updatedAt} />],
          ['Id', <CopyId key="id" id={rule.id} />],
        ]}
      />
      {mayChange ? <RuleForm rule={rule} /> : <Note text={rule.note} />}
      {mayChange && (
        <div>
          <Button variant="default" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </div>
      )}
      {deleting && (
        <DeleteRuleDialog
          rule={rule}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            setDeleting(false)
            onClose()
          }}
        />
      )}
    </Stack>
  )
}

const Note = ({ text }: { text: string }) =>
  text ? (
    <Markdown text={text} />
  ) : (
    <Text size="sm" c="dimmed">
      No note.
    </Text>
  )
