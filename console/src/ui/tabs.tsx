import { Tabs, type TabsListProps } from '@mantine/core'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import classes from './tabs.module.css'

/** The tabs of a page's parts, inside `Tabs` with `tabClasses`. */
export function TabList(props: TabsListProps) {
  const list = useRef<HTMLDivElement>(null)
  useActiveInSight(list)
  return <Tabs.List ref={list} {...props} />
}

/** For `classNames` of `Tabs`. */
export const tabClasses = { list: classes.list, tab: classes.tab }

interface TabLinksProps {
  label: string
  children: ReactNode
}

/** The same for pages with addresses of their own: `TabLink` inside. */
export function TabLinks({ label, children }: TabLinksProps) {
  const list = useRef<HTMLElement>(null)
  useActiveInSight(list)
  return (
    <nav ref={list} aria-label={label} className={classes.list}>
      {children}
    </nav>
  )
}

export const tabLink = {
  className: classes.tab,
  underline: 'never',
  activeProps: { 'aria-current': 'page' },
} as const

/** After each change: there are few tabs, and they seldom change. */
function useActiveInSight(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const bar = list.current
    const tab = bar?.querySelector<HTMLElement>('[aria-selected=true], [aria-current=page]')
    if (!bar || !tab) return
    const [left, right] = [tab.offsetLeft - bar.offsetLeft, bar.clientWidth]
    const isInSight = left >= bar.scrollLeft && left + tab.offsetWidth <= bar.scrollLeft + right
    if (!isInSight) bar.scrollLeft = left - (right - tab.offsetWidth) / 2
  })
}
