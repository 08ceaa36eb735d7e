import { Modal, TextInput, useMantineColorScheme } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { t } from '../languages/text.ts'
import { barOf, mayDo } from '../session/page-access.ts'
import { logOut, useSession } from '../session/session.ts'
import { messageOf, tellFailure } from '../ui/notices.tsx'
import { actionEntries, type Entry } from './entries.ts'
import { followTarget } from './follow-target.ts'
import classes from './palette.module.css'
import { readRecent, rememberRecent } from './recent.ts'
import { ResultList } from './result-list.tsx'
import { useSections } from './use-sections.ts'

const listId = 'palette-results'

/** Finds any device, gateway, group, network, page and action by a few letters. */
export function Palette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      yOffset="10vh"
      size="lg"
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={t('Search')}>
        <Modal.Body p={0}>
          <Search onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

function Search({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const { organization } = useSession()
  const run = useRun(onClose)
  const actions = useActions()
  const recent = useMemo(() => readRecent(organization.id), [organization.id])
  const { sections, isSearching, error } = useSections(text, actions, recent)
  const entries = sections.flatMap((section) => section.entries)
  const active = Math.min(chosen, Math.max(0, entries.length - 1))
  const activeId = entries[active] ? `palette-${active}` : undefined
  const onKeyDown = (event: React.KeyboardEvent) => {
    const last = entries.length - 1
    const keys: Record<string, number> = {
      ArrowDown: active >= last ? 0 : active + 1,
      ArrowUp: active <= 0 ? last : active - 1,
      PageDown: Math.min(last, active + 8),
      PageUp: Math.max(0, active - 8),
    }
    const next = keys[event.key]
    const entry = entries[active]
    if (next !== undefined) setChosen(next)
    else if (event.key === 'Enter' && entry && !event.nativeEvent.isComposing) run(entry)
    else return
    event.preventDefault()
  }
  return (
    <>
      <TextInput
        data-autofocus
        size="md"
        variant="unstyled"
        className={classes.input}
        placeholder={t('Name, DevEUI, page or action')}
        aria-label={t('Search devices, gateways, groups, pages and actions')}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        leftSection={<IconSearch size={18} aria-hidden />}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setChosen(0)
        }}
        onKeyDown={onKeyDown}
      />
      <ResultList
        id={listId}
        sections={sections}
        active={active}
        onPoint={setChosen}
        onChoose={run}
      />
      <p role="status" className={classes.foot}>
        {footOf(entries.length, isSearching, error)}
      </p>
    </>
  )
}

function footOf(count: number, isSearching: boolean, error: unknown): string {
  if (error !== undefined) return messageOf(error)
  if (isSearching) return 'Searching…'
  if (count === 0)
    return t('Nothing found. Try a part of the name, or the last digits of the DevEUI.')
  return t(
    '{count} {count, plural, one {result} other {results}} · ↑ ↓ choose, Enter opens, Esc closes',
    { count },
  )
}

function useActions(): readonly Entry[] {
  const { organization } = useSession()
  const { setColorScheme } = useMantineColorScheme()
  return useMemo(() => {
    const may = ({ needs, target }: Entry) =>
      (!needs || mayDo(organization, needs)) && !barOf(organization, target?.to ?? '/')
    return actionEntries({
      setTheme: setColorScheme,
      logOut: () => {
        logOut().catch((error) => tellFailure(t('You are still logged in'), error))
      },
    }).filter(may)
  }, [organization, setColorScheme])
}

function useRun(onClose: () => void) {
  const router = useRouter()
  const { organization } = useSession()
  return (entry: Entry) => {
    rememberRecent(organization.id, entry)
    onClose()
    if (entry.target) followTarget(router, entry.target)
    else entry.act?.()
  }
}
