import { SimpleGrid, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../api/hooks.ts'
import type { Job, JobRow } from '../../jobs/use-jobs.ts'
import { t } from '../../languages/text.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { State } from '../../ui/state.tsx'
import { changesOf, fieldsOf, numberOf, textOf } from './row-fields.ts'

interface RepairDialogProps {
  job: Job
  row: JobRow
  onClose: () => void
}

/** Fixes one failed row and sends it again, in the same job. */
export function RepairDialog({ job, row, onClose }: RepairDialogProps) {
  const fields = fieldsOf(job.kind)
  const [texts, setTexts] = useState(() =>
    Object.fromEntries(fields.map((field) => [field.name, textOf(row.input, field)])),
  )
  const repair = useAction('PATCH /jobs/{job_id}/rows', {
    invalidates: ['GET /jobs/{job_id}', 'GET /jobs/{job_id}/rows', 'GET /jobs'],
  })
  const send = async () => {
    const changed = { number: row.number, ...changesOf(job.kind, row.input, texts) }
    await repair.mutateAsync({ path: { job_id: String(job.id) }, body: { rows: [changed] } })
    onClose()
  }
  return (
    <FormDialog
      title={t('Repair row {row}', { row: numberOf(row) })}
      size="lg"
      action={t('Send again')}
      onSubmit={send}
      onClose={onClose}
    >
      <State kind="bad">
        <Text size="sm" span className="wrapping">
          {row.message}
        </Text>
      </State>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {fields.map(({ name, label, isSecret, isCode }, index) => (
          <TextInput
            key={name}
            label={label}
            value={texts[name] ?? ''}
            placeholder={isSecret ? t('Empty keeps the key that was sent') : undefined}
            autoComplete="off"
            spellCheck={false}
            data-autofocus={index === 0 || undefined}
            styles={isCode ? { input: { fontFamily: 'var(--mantine-font-family-monospace)' } } : {}}
            onChange={({ currentTarget: { value } }) =>
              setTexts((before) => ({ ...before, [name]: value }))
            }
          />
        ))}
      </SimpleGrid>
    </FormDialog>
  )
}
