import { Tooltip, UnstyledButton } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import classes from './eui.module.css'

/** An EUI or a key: monospaced, in groups of four, copied by a click. */
export function Eui({ value, label = 'EUI' }: { value: string; label?: string }) {
  const clipboard = useClipboard({ timeout: 1500 })
  return (
    <Tooltip label={clipboard.copied ? 'Copied' : `Copy ${label}`}>
      <UnstyledButton
        className={classes.eui}
        aria-label={`${label} ${value}, copy`}
        onClick={(event) => {
          event.stopPropagation()
          event.preventDefault()
          clipboard.copy(value)
        }}
      >
        {value}
        <span role="status" className="visually-hidden">
          {clipboard.copied ? 'Copied' : ''}
        </span>
      </UnstyledButton>
    </Tooltip>
  )
}
