import { Tooltip, UnstyledButton } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { t } from '../languages/text.ts'
import classes from './eui.module.css'

/** An EUI or a key: monospaced, in groups of four, copied by a click. */
export function Eui({ value, label = 'EUI' }: { value: string; label?: string }) {
  const clipboard = useClipboard({ timeout: 1500 })
  return (
    <Tooltip label={clipboard.copied ? t('Copied') : t('Copy {label}', { label })}>
      <UnstyledButton
        className={classes.eui}
        aria-label={t('{label} {value}, copy', { label, value })}
        onClick={(event) => {
          event.stopPropagation()
          event.preventDefault()
          clipboard.copy(value)
        }}
      >
        {value}
        <span role="status" className="visually-hidden">
          {clipboard.copied ? t('Copied') : ''}
        </span>
      </UnstyledButton>
    </Tooltip>
  )
}
