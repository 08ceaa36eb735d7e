import { ActionIcon, Button, Group, Input } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { Schemas } from '../api/generated.ts'
import { t } from '../languages/text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { type Source, SourceFields } from './source-fields.tsx'
import { useSourceWords } from './source-words.ts'

interface SourceListProps {
  label: string
  sources: readonly Source[]
  variable: Schemas['DashboardVariable'] | null
  most: number
  onChange: (sources: Source[]) => void
}

/** Several sources of one chart: each can be changed and taken away. */
export function SourceList({ label, sources, variable, most, onChange }: SourceListProps) {
  const wordsOf = useSourceWords()
  const [open, setOpen] = useState<number>()
  return (
    <Input.Wrapper label={label} labelElement="div">
      <Group gap="xs" role="group" aria-label={label}>
        {sources.map((source, at) => {
          const words = wordsOf(source)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same source may be there twice
            <Group key={at} gap={2} wrap="nowrap" maw="100%">
              <Button size="xs" variant="default" miw={0} onClick={() => setOpen(at)}>
                {words}
              </Button>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('Remove {words}', { words })}
                onClick={() => onChange(sources.filter((_, other) => other !== at))}
              >
                <IconX size={14} aria-hidden />
              </ActionIcon>
            </Group>
          )
        })}
        {sources.length < most && (
          <Button size="xs" variant="light" onClick={() => setOpen(sources.length)}>
            {t('Add a line')}
          </Button>
        )}
      </Group>
      {open !== undefined && (
        <SourceDialog
          source={sources[open]}
          variable={variable}
          onClose={() => setOpen(undefined)}
          onSave={(saved) => {
            onChange(
              open < sources.length
                ? sources.map((one, at) => (at === open ? saved : one))
                : [...sources, saved],
            )
            setOpen(undefined)
          }}
        />
      )}
    </Input.Wrapper>
  )
}

interface SourceDialogProps {
  /** Undefined for a new one. */
  source: Source | undefined
  variable: Schemas['DashboardVariable'] | null
  onSave: (source: Source) => void
  onClose: () => void
}

function SourceDialog({ source, variable, onSave, onClose }: SourceDialogProps) {
  const [value, setValue] = useState<Source>(source ?? {})
  const isReady = Boolean(value.quantity ?? value.measurement) && value.devices?.length !== 0
  return (
    <FormDialog
      title={source ? t('Change the line') : t('Add a line')}
      action={source ? t('Apply') : t('Add')}
      blockedBy={isReady ? undefined : t('Choose what is measured, and of which devices.')}
      onSubmit={() => onSave(value)}
      onClose={onClose}
    >
      <SourceFields source={value} isMeasured variable={variable} onChange={setValue} />
    </FormDialog>
  )
}
