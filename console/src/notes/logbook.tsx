import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../api/hooks.ts'
import { rich, t } from '../languages/text.ts'
import { useMay } from '../session/session.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { Card } from '../ui/card.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { DateTimeField } from '../ui/date-time-field.tsx'
import { DraftNotice, useDraft } from '../ui/draft.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ErrorNotice, tellSuccess } from '../ui/notices.tsx'
import { formatCount } from '../ui/numbers.ts'
import { LoadingLines } from '../ui/page.tsx'
import { Clock } from '../ui/time.tsx'
import classes from './logbook.module.css'
import {
  addNote,
  changeNote,
  deleteNote,
  type Note,
  type NoteSubject,
  permissionFor,
  subjectOf,
} from './note-requests.ts'

/** Notes that are shown at first, and with each further step. */
const step = 10

/** What happened to a device, a gateway or a group: notes at points in time. */
export function Logbook({ kind, id }: NoteSubject) {
  const [limit, setLimit] = useState(step)
  const [open, setOpen] = useState<Note | 'new'>()
  const query = { ...(kind === 'group' ? { group: Number(id) } : { [kind]: id }), limit }
  const { data, error, refetch } = useApi('GET /notes', { query }, { keepsPrevious: true })
  const add = (
    <ActionButton
      needs={permissionFor[kind]}
      size="compact-sm"
      variant="default"
      onClick={() => setOpen('new')}
    >
      {t('Add a note')}
    </ActionButton>
  )
  return (
    <Card title={t('Logbook')} actions={add}>
      {error && !data && <ErrorNotice error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingLines />}
      {data?.data.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('What happened, and when: “door repaired”, “battery changed”.')}
          {kind !== 'gateway' && t(' Charts show it.')}
        </Text>
      )}
      {data && data.data.length > 0 && (
        <ul className={classes.notes}>
          {data.data.map((note) => (
            <Entry key={note.id} note={note} of={{ kind, id }} onEdit={() => setOpen(note)} />
          ))}
        </ul>
      )}
      {data && data.total > data.data.length && limit < 200 && (
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => setLimit(Math.min(200, limit + 5 * step))}
        >
          {t('{total} older', { total: formatCount(data.total - data.data.length) })}
        </Button>
      )}
      {open && (
        <NoteDialog
          subject={{ kind, id }}
          note={open === 'new' ? undefined : open}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Card>
  )
}

interface EntryProps {
  note: Note
  of: NoteSubject
  onEdit: () => void
}

function Entry({ note, of, onEdit }: EntryProps) {
  const [isAsking, setAsking] = useState(false)
  const { kind, name } = subjectOf(note)
  const may = useMay(permissionFor[kind])
  return (
    <li>
      <Text size="xs" c="dimmed" component="div">
        <Clock value={note.at} /> · {note.user_name}
        {kind !== of.kind || of.kind === 'group' ? ` · ${name}` : ''}
      </Text>
      <Text size="sm" className={classes.text}>
        {note.text}
      </Text>
      {may && (
        <Group gap="xs">
          <Button size="compact-xs" variant="subtle" onClick={onEdit}>
            {rich('Edit{span}', {
              span: <span className="visually-hidden"> {note.text.slice(0, 60)}</span>,
            })}
          </Button>
          <Button size="compact-xs" variant="subtle" color="red" onClick={() => setAsking(true)}>
            {rich('Delete{span}', {
              span: <span className="visually-hidden"> {note.text.slice(0, 60)}</span>,
            })}
          </Button>
        </Group>
      )}
      <Confirm
        opened={isAsking}
        title={t('Delete this note?')}
        action="Delete"
        onConfirm={() => deleteNote(note)}
        onClose={() => setAsking(false)}
      >
        {note.text}
      </Confirm>
    </li>
  )
}

interface NoteDialogProps {
  subject: NoteSubject
  /** Undefined for a new one. */
  note: Note | undefined
  onClose: () => void
}

interface Entered {
  text: string
  at: string | undefined
}

function NoteDialog({ subject, note, onClose }: NoteDialogProps) {
  const { kind, id } = subject
  const start: Entered = { text: note?.text ?? '', at: note?.at }
  const draft = useDraft(`note ${kind} ${id} ${note?.id ?? 'new'}`, start)
  const [values, setValues] = useState(draft.start)
  const set = (changes: Partial<Entered>) => {
    const changed = { ...values, ...changes }
    setValues(changed)
    draft.keep(changed)
  }
  const save = async () => {
    const { text, at } = values
    const content = { text, ...(at !== undefined && { at }) }
    if (note) await changeNote(note, content)
    else await addNote(subject, content)
    draft.forget()
    tellSuccess(note ? t('Note saved.') : t('Note added.'))
    onClose()
  }
  return (
    <FormDialog
      title={note ? t('Edit the note') : t('Add a note')}
      action={note ? t('Save') : t('Add')}
      needs={permissionFor[note ? subjectOf(note).kind : kind]}
      onSubmit={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <Stack>
          <DraftNotice draft={draft} onStartOver={setValues} />
          <Textarea
            label={t('What happened')}
            required
            autosize
            minRows={2}
            maxLength={1000}
            data-autofocus
            value={values.text}
            onChange={({ currentTarget }) => set({ text: currentTarget.value })}
            error={errorOf('text')}
          />
          <DateTimeField
            label={t('When')}
            description={t('Now, if it is empty.')}
            value={values.at}
            onChange={(at) => set({ at })}
            error={errorOf('at')}
          />
        </Stack>
      )}
    </FormDialog>
  )
}
