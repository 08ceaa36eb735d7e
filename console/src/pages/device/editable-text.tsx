import {
  Alert,
  Button,
  Group,
  Stack,
  Text,
  Textarea,
  TextInput,
  UnstyledButton,
} from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { t } from '../../languages/text.ts'
import { useReason } from '../../ui/action-button.tsx'
import { useDraft } from '../../ui/draft.tsx'
import classes from './device.module.css'
import { reasonOf } from './use-device.ts'

interface EditableTextProps {
  label: string
  /** What it belongs to: its draft is kept by it. */
  of: string
  value: string
  /** What stands in place of no text. */
  none: string
  isLong?: boolean
  maxLength: number
  /** Shows the new text at once; rejects when it was refused. */
  onSave: (text: string) => Promise<unknown>
}

/**
 * A text that is edited where it stands. A refused text is taken back, and the field opens again
 * with what was typed and the reason.
 */
export function EditableText(props: EditableTextProps) {
  const { label, of, value, none, isLong, onSave } = props
  const kept = useDraft(t('{label} of {of}', { label, of }), { text: value })
  const [draft, setDraft] = useState(kept.isRestored ? kept.start.text : undefined)
  const [problem, setProblem] = useState<string>()
  const opener = useRef<HTMLButtonElement>(null)
  const reason = useReason('manage_devices')
  const close = () => {
    setDraft(undefined)
    setProblem(undefined)
    requestAnimationFrame(() => opener.current?.focus())
  }
  const save = async () => {
    const typed = draft ?? ''
    close()
    try {
      if (typed !== value) await onSave(typed)
      kept.forget()
    } catch (error) {
      setDraft(typed)
      setProblem(reasonOf(error))
    }
  }
  if (draft !== undefined) {
    return (
      <Editor
        {...props}
        draft={draft}
        onDraft={(text) => {
          kept.keep({ text })
          setDraft(text)
        }}
        onSave={save}
        onCancel={() => {
          kept.forget()
          close()
        }}
        problem={problem}
      />
    )
  }
  if (reason !== undefined) return <span className={classes.text}>{value || none}</span>
  return (
    <UnstyledButton
      ref={opener}
      className={classes.editable}
      aria-label={t('Edit {label}: {value}', { label, value: value || none })}
      onClick={() => setDraft(value)}
    >
      <span className={classes.text} data-long={isLong || undefined}>
        {value || (
          <Text span inherit c="dimmed">
            {none}
          </Text>
        )}
      </span>
      <IconPencil size={14} aria-hidden />
    </UnstyledButton>
  )
}

interface EditorProps extends Omit<EditableTextProps, 'onSave'> {
  draft: string
  onDraft: (text: string) => void
  onSave: () => void
  onCancel: () => void
  problem: string | undefined
}

function Editor({
  label,
  isLong,
  maxLength,
  draft,
  onDraft,
  onSave,
  onCancel,
  problem,
}: EditorProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onCancel()
    if (event.key === 'Enter' && (!isLong || event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      onSave()
    }
  }
  const common = {
    label,
    value: draft,
    maxLength,
    onKeyDown,
    autoFocus: true,
    error: problem !== undefined,
  }
  return (
    <Stack gap="xs">
      {isLong ? (
        <Textarea
          {...common}
          autosize
          minRows={3}
          maxRows={12}
          onChange={(event) => onDraft(event.currentTarget.value)}
        />
      ) : (
        <TextInput {...common} onChange={(event) => onDraft(event.currentTarget.value)} />
      )}
      {problem !== undefined && (
        <Alert color="red" variant="outline" role="alert" title={t('Not saved')}>
          {problem}
        </Alert>
      )}
      <Group gap="xs">
        <Button size="xs" onClick={onSave}>
          {t('Save')}
        </Button>
        <Button size="xs" variant="default" onClick={onCancel}>
          {t('Cancel')}
        </Button>
      </Group>
    </Stack>
  )
}
