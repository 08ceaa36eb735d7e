import { ActionIcon, Button, Divider, Group, Popover, Stack, Text, TextInput } from '@mantine/core'
import { IconBookmark, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { t } from '../../languages/text.ts'
import { type Address, useAddress } from '../../router/use-address.ts'
import { usePreference } from '../../session/preference.ts'
import { Link } from '../link.tsx'

/** The filters, order and columns of a list, as in its address. */
export interface SavedView {
  name: string
  search: Address
}

const mostViews = 50
/** What an address says of the place in a list, or of what is open beside it. */
const passing = ['after', 'page', 'uplink', 'alert']

interface SavedViewsProps {
  /** The list, in the names of what the user prefers: `device`. */
  list: string
  /** Views that everyone needs. */
  usual: readonly SavedView[]
  /** The ids of the columns that are shown. */
  columns: string
}

/** Views of a list that the user has named, in every browser of theirs. */
export function SavedViews({ list, usual, columns }: SavedViewsProps) {
  const [isOpen, setOpen] = useState(false)
  const { search } = useAddress()
  const { views, save } = useSavedViews(list)
  const close = () => setOpen(false)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={300} trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconBookmark size={16} aria-hidden />}
          onClick={() => setOpen((now) => !now)}
        >
          {t('Views')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={6}>
          {usual.map((view) => (
            <ViewLink key={view.name} view={view} onFollow={close} />
          ))}
          {usual.length > 0 && views.length > 0 && <Divider />}
          {views.map((view) => (
            <Group key={view.name} justify="space-between" wrap="nowrap" gap="xs">
              <ViewLink view={view} onFollow={close} />
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('Delete the view {name}', { name: view.name })}
                onClick={() => save(views.filter((other) => other.name !== view.name))}
              >
                <IconTrash size={15} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
          {usual.length + views.length > 0 && <Divider />}
          <SaveForm
            isFull={views.length >= mostViews}
            onSave={(name) => {
              const others = views.filter((view) => view.name !== name)
              save([...others, { name, search: { ...lasting(search), columns } }])
            }}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

function ViewLink({ view, onFollow }: { view: SavedView; onFollow: () => void }) {
  return (
    <Link to="." search={view.search as never} size="sm" onClick={onFollow} truncate>
      {view.name}
    </Link>
  )
}

function SaveForm({ isFull, onSave }: { isFull: boolean; onSave: (name: string) => void }) {
  const [name, setName] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return
    onSave(name.trim())
    setName('')
  }
  if (isFull)
    return <Text size="sm">{t('There is no room for more views: delete one first.')}</Text>
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label={t('Save what is shown as')}
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          {t('Save')}
        </Button>
      </Group>
    </form>
  )
}

function lasting(search: Address): Address {
  return Object.fromEntries(Object.entries(search).filter(([name]) => !passing.includes(name)))
}

function useSavedViews(list: string) {
  const { value, save } = usePreference(`${list}_views`, t('The view was not saved'))
  return {
    views: readViews(value),
    save: (views: readonly SavedView[]) => save(views),
  }
}

/** Preferences may come from another version or program; the page reads what it knows of the address. */
function readViews(stored: unknown): SavedView[] {
  if (!Array.isArray(stored)) return []
  return stored.flatMap((view: Partial<SavedView> | null) => {
    if (typeof view?.name !== 'string' || typeof view.search !== 'object') return []
    return [{ name: view.name, search: { ...view.search } }]
  })
}
