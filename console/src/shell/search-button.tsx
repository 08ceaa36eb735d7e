import { ActionIcon, Button, Kbd } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { withTexts } from '../languages/load.ts'
import { t } from '../languages/text.ts'

const load = withTexts('shared', () => import('../palette/palette.tsx'))
const Palette = lazy(async () => ({ default: (await load()).Palette }))

/** Milliseconds after the start: nobody waits for it, and what is typed after Ctrl-K is not lost. */
const loadDelay = 10_000

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Opens the search for everything; so do Ctrl-K and Cmd-K from anywhere. */
export function SearchButton() {
  const [isOpen, setOpen] = useState(false)
  // It is loaded at the first use, and stays.
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => {}), loadDelay)
    return () => clearTimeout(timer)
  }, [])
  const toggle = () => {
    setWanted(true)
    setOpen((now) => !now)
  }
  // In fields too: nothing else takes these keys there.
  useHotkeys([['mod+K', toggle]], [])
  const common = { onClick: toggle, 'aria-haspopup': 'dialog' } as const
  return (
    <>
      <Button
        {...common}
        variant="default"
        size="xs"
        visibleFrom="sm"
        aria-keyshortcuts="Control+K Meta+K"
        leftSection={<IconSearch size={14} aria-hidden />}
        rightSection={<Kbd size="xs">{isMac ? '⌘ K' : t('Ctrl K')}</Kbd>}
      >
        {t('Search')}
      </Button>
      <ActionIcon
        {...common}
        aria-label={t('Search')}
        variant="subtle"
        color="gray"
        size="lg"
        hiddenFrom="sm"
      >
        <IconSearch size={20} aria-hidden />
      </ActionIcon>
      {isWanted && (
        <Suspense>
          <Palette opened={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
