import { ActionIcon, Button, Divider, Group, Popover, Stack, Text, TextInput } from '@mantine/core'
import { IconBookmark, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { searchOf } from '../../router/search.ts'
import { usePreference } from '../../session/preference.ts'
import { Link } from '../../ui/link.tsx'
import { type DeviceSearch, deviceSearch } from './device-search.ts'

interface SavedView {
  name: string
  search: DeviceSearch
}

const mostViews = 50
const usualViews: readonly SavedView[] = [
  { name: 'Silent', search: { verdict: 'silent', sort: 'last_seen' } },
  { name: 'Low battery', search: { low_battery: 'yes', sort: 'battery' } },
  { name: 'Tampered', search: { tamper: 'yes' } },
  { name: 'Registration errors', search: { status: 'register_error' } },
]

/** Views that the user has named, in every browser of theirs, and some that everyone needs. */
export function SavedViews({ search, columns }: { search: DeviceSearch; columns: string }) {
  const [isOpen, setOpen] = useState(false)
  const { views, save } = useSavedViews()
  const close = () => setOpen(false)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={300} trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconBookmark size={16} aria-hidden />}
          onClick={() => setOpen((now) => !now)}
        >
          Views
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={6}>
          {usualViews.map((view) => (
            <ViewLink key={view.name} view={view} onFollow={close} />
          ))}
          {views.length > 0 && <Divider />}
          {views.map((view) => (
            <Group key={view.name} justify="space-between" wrap="nowrap" gap="xs">
              <ViewLink view={view} onFollow={close} />
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Delete the view ${view.name}`}
                onClick={() => save(views.filter((other) => other.name !== view.name))}
              >
                <IconTrash size={15} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
          <Divider />
          <SaveForm
            isFull={views.length >= mostViews}
            onSave={(name) => {
              const others = views.filter((view) => view.name !== name)
              save([...others, { name, search: { ...search, columns } }])
            }}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

function ViewLink({ view, onFollow }: { view: SavedView; onFollow: () => void }) {
  return (
    <Link to="/devices" search={view.search} size="sm" onClick={onFollow} truncate>
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
  if (isFull) return <Text size="sm">There is no room for more views: delete one first.</Text>
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label="Save what is shown as"
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Save
        </Button>
      </Group>
    </form>
  )
}

function useSavedViews() {
  const { value, save } = usePreference('device_views', 'The view was not saved')
  return {
    views: readViews(value),
    save: (views: readonly SavedView[]) => save(views),
  }
}

const readSearch = searchOf(deviceSearch)

/** Preferences may come from another version, or from another program. */
function readViews(stored: unknown): SavedView[] {
  if (!Array.isArray(stored)) return []
  return stored.flatMap((view: Partial<SavedView> | null) => {
    if (typeof view?.name !== 'string' || typeof view.search !== 'object') return []
    return [{ name: view.name, search: readSearch({ ...view.search }) }]
  })
}
