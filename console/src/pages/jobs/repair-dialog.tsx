import { Button, Group, Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useAction } from '../../api/hooks.ts'
import type { Job, JobRow } from '../../jobs/use-jobs.ts'
import { ErrorNotice } from '../../ui/notices.tsx'
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
    onSuccess: onClose,
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    const changed = { number: row.number, ...changesOf(job.kind, row.input, texts) }
    repair.mutate({ path: { job_id: String(job.id) }, body: { rows: [changed] } })
  }
  return (
    <Modal opened onClose={onClose} title={`Repair row ${numberOf(row)}`} size="lg">
      <form onSubmit={send}>
        <Stack>
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
                placeholder={isSecret ? 'Empty keeps the key that was sent' : undefined}
                autoComplete="off"
                spellCheck={false}
                data-autofocus={index === 0 || undefined}
                styles={
                  isCode ? { input: { fontFamily: 'var(--mantine-font-family-monospace)' } } : {}
                }
                onChange={({ currentTarget: { value } }) =>
                  setTexts((before) => ({ ...before, [name]: value }))
                }
              />
            ))}
          </SimpleGrid>
          {repair.error && <ErrorNotice error={repair.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            <Button type="submit" loading={repair.isPending}>
              Send again
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
