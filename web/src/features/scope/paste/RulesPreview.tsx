import { Button, Group, Stack, Text } from '@mantine/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { EFFECT_LABELS } from '../../../domain/verdicts.tsx'
import { registerUnsaved } from '../../../ui/dialogs/unsaved.ts'
import { FormElement } from '../../../ui/fields/FormElement.tsx'
import { FormError } from '../../../ui/fields/FormError.tsx'
import classes from './preview.module.css'
import {
  type Choice,
  chosenRules,
  clashing,
  EFFECTS_STRICTEST_FIRST,
  firstChoice,
  itemsOf,
  type LetterRule,
  mayAllowAll,
} from './preview.ts'
import { ContextRow, RuleRow } from './rows.tsx'
import { useSaveRules } from './use-save-rules.tsx'

interface RulesPreviewProps {
  engagementId: string
  text: string
  rules: readonly LetterRule[]
  onBack: () => void
  onClose: () => void
}

/** Each rule next to its source line. Undecided rules need a choice before saving. */
export const RulesPreview = ({ engagementId, text, rules, onBack, onClose }: RulesPreviewProps) => {
  const [choices, setChoices] = useState<Choice[]>(() => rules.map(firstChoice))
  const form = useRef<HTMLFormElement>(null)
  const isSaved = useRef(false)
  const { save, isSaving, message } = useSaveRules(engagementId, () => {
    isSaved.current = true
    onClose()
  })
  useUnsaved(form, isSaving, isSaved)
  useEffect(() => {
    const first =
      form.current?.querySelector<HTMLElement>('[data-open] [role="combobox"]') ??
      form.current?.querySelector<HTMLElement>('button[type="submit"]')
    first?.focus()
  }, [])
  const clashes = clashing(rules, choices)
  const isOpen = (rule: LetterRule, index: number) =>
    choices[index] === undefined || (rule.pattern !== null && choices[index] !== 'skip' && clashes.has(rule.pattern))
  const open = rules.filter(isOpen)
  const chosen = chosenRules(rules, choices)
  const choose = (index: number, choice: Choice) => setChoices((before) => before.with(index, choice))
  const chooseAll = (choice: Choice) =>
    setChoices((before) =>
      before.map((each, index) =>
        each === undefined && (choice === 'skip' || rules[index]?.pattern !== null) ? choice : each,
      ),
    )
  const goToNext = () => form.current?.querySelector<HTMLElement>('[data-open] [role="combobox"]')?.focus()
  return (
    <FormElement formRef={form} onSubmit={() => save(chosen)} loading={isSaving}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Text size="sm" role="status">
            {open.length > 0 ? `${countOf(open.length, 'line')} left to choose.` : summaryOf(chosen)}
          </Text>
          {open.length > 0 && (
            <OpenActions
              rules={rules.filter((_, index) => choices[index] === undefined)}
              onChoose={chooseAll}
              onNext={goToNext}
            />
          )}
        </Group>
        {/* Scrollable regions must be reachable by keyboard. */}
        <div className={classes.scroller} role="region" aria-label="Rules of the letter" tabIndex={0}>
          <ol className={classes.lines}>
            {itemsOf(text, rules).map((item) =>
              item.kind === 'context' ? (
                <ContextRow key={`line ${item.context.line}`} {...item.context} />
              ) : (
                <RuleRow
                  key={item.index}
                  rule={item.rule}
                  choice={choices[item.index]}
                  isOpen={isOpen(item.rule, item.index)}
                  isClash={item.rule.pattern !== null && clashes.has(item.rule.pattern)}
                  isFirstOfLine={item.isFirstOfLine}
                  onChoose={(choice) => choose(item.index, choice)}
                />
              ),
            )}
          </ol>
        </div>
        <FormError message={message} />
        <Group justify="space-between" gap="xs">
          <Button variant="default" onClick={onBack} disabled={isSaving}>
            Back to the text
          </Button>
          <Button type="submit" loading={isSaving} disabled={open.length > 0 || chosen.length === 0}>
            {open.length > 0 || chosen.length === 0 ? 'Add rules' : `Add ${countOf(chosen.length, 'rule')}`}
          </Button>
        </Group>
      </Stack>
    </FormElement>
  )
}

interface OpenActionsProps {
  /** Rules without a choice. */
  rules: readonly LetterRule[]
  onChoose: (choice: Choice) => void
  onNext: () => void
}

/** Actions on all undecided rules. */
const OpenActions = ({ rules, onChoose, onNext }: OpenActionsProps) => {
  const readable = rules.filter(({ pattern }) => pattern !== null)
  const effects = EFFECTS_STRICTEST_FIRST.filter(
    (effect) => readable.length > 0 && (effect !== 'allow' || mayAllowAll(readable)),
  )
  return (
    <Group gap={6} role="group" aria-label="Undecided">
      <Button size="compact-sm" variant="default" onClick={onNext}>
        Next
      </Button>
      {rules.length > 0 && (
        <>
          <Text size="sm" c="dimmed">
            All:
          </Text>
          {effects.map((effect) => (
            <Button key={effect} size="compact-sm" variant="default" onClick={() => onChoose(effect)}>
              {EFFECT_LABELS[effect]}
            </Button>
          ))}
          <Button size="compact-sm" variant="default" onClick={() => onChoose('skip')}>
            Leave out
          </Button>
        </>
      )}
    </Group>
  )
}

/** Asks before closing the dialog, because the text and the choices would be lost. */
const useUnsaved = (form: RefObject<HTMLFormElement | null>, isSaving: boolean, isSaved: RefObject<boolean>): void => {
  const saving = useRef(isSaving)
  saving.current = isSaving
  useEffect(
    () =>
      registerUnsaved({
        hasChanges: () => !isSaved.current,
        isSaving: () => saving.current,
        discard: () => undefined,
        element: () => form.current,
      }),
    [form, isSaved],
  )
}

const NUMBER = new Intl.NumberFormat('en')

const countOf = (count: number, noun: string): string => `${NUMBER.format(count)} ${count === 1 ? noun : `${noun}s`}`

const summaryOf = (chosen: readonly { effect: keyof typeof EFFECT_LABELS }[]): string => {
  if (chosen.length === 0) return 'There is nothing to add.'
  const counts = EFFECTS_STRICTEST_FIRST.toReversed().map(
    (effect) => [chosen.filter((rule) => rule.effect === effect).length, EFFECT_LABELS[effect]] as const,
  )
  return `${counts.flatMap(([count, label]) => (count > 0 ? [`${NUMBER.format(count)} ${label.toLowerCase()}`] : [])).join(', ')}.`
}
