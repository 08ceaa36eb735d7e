import { ActionIcon, Menu } from '@mantine/core'
import { IconArrowDownRight, IconArrowsMove, IconDots, IconSettings } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { t } from '../../languages/text.ts'
import { titleOf } from './dashboard.ts'
import classes from './grid.module.css'
import type { Box } from './layout.ts'
import type { useDrag } from './use-drag.ts'
import type { EditedWidget } from './use-edits.ts'

interface WidgetToolsProps {
  widget: EditedWidget
  /** Where it stands, in words. */
  place: string
  drag: ReturnType<typeof useDrag<EditedWidget>>
  onMove: (to: Partial<Box>) => void
  onOpen: () => void
  onCopy: () => void
  onRemove: () => void
}

const ways: Record<string, [right: number, down: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** The handle of a widget, its settings, and what else can be done with it. */
export function WidgetTools({ widget, place, drag, onMove, ...does }: WidgetToolsProps) {
  const title = titleOf(widget)
  const { x, y, w, h } = widget
  const onKeyDown = (event: KeyboardEvent) => {
    const way = ways[event.key]
    if (!way) return
    event.preventDefault()
    const [right, down] = way
    onMove(event.shiftKey ? { w: w + right, h: h + down } : { x: x + right, y: y + down })
  }
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        className={classes.handle}
        aria-label={t('Move {title}, {place}', { title, place })}
        aria-describedby="widget-keys"
        onKeyDown={onKeyDown}
        {...drag.handlersOf(widget, 'move')}
      >
        <IconArrowsMove size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('Settings of {title}', { title })}
        onClick={does.onOpen}
      >
        <IconSettings size={16} aria-hidden />
      </ActionIcon>
      <Menu>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('More about {title}', { title })}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={does.onCopy}>{t('Copy')}</Menu.Item>
          <Menu.Item onClick={() => onMove({ y: y - h })}>{t('Move up')}</Menu.Item>
          <Menu.Item onClick={() => onMove({ y: y + h })}>{t('Move down')}</Menu.Item>
          <Menu.Item onClick={() => onMove({ w: w + 1 })}>{t('Wider')}</Menu.Item>
          <Menu.Item onClick={() => onMove({ w: w - 1 })}>{t('Narrower')}</Menu.Item>
          <Menu.Item onClick={() => onMove({ h: h + 1 })}>{t('Higher')}</Menu.Item>
          <Menu.Item onClick={() => onMove({ h: h - 1 })}>{t('Lower')}</Menu.Item>
          <Menu.Item color="red" onClick={does.onRemove}>
            {t('Remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

/** Resizes the widget by mouse or finger; keys do it at the handle. */
export function WidgetCorner({ widget, drag }: Pick<WidgetToolsProps, 'widget' | 'drag'>) {
  return (
    <span className={classes.corner} aria-hidden {...drag.handlersOf(widget, 'resize')}>
      <IconArrowDownRight size={16} />
    </span>
  )
}
