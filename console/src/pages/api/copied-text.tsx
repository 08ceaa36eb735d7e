import { Button } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { t } from '../../languages/text.ts'
import classes from './api.module.css'

/** Text to paste elsewhere, with a button that copies it. */
export function CopiedText({ label, text }: { label: string; text: string }) {
  const clipboard = useClipboard({ timeout: 1500 })
  const Icon = clipboard.copied ? IconCheck : IconCopy
  return (
    <div className={classes.copied}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <pre className={classes.code} tabIndex={0}>
        {text}
      </pre>
      <Button
        size="xs"
        variant="default"
        className={classes.copy}
        leftSection={<Icon size={14} aria-hidden />}
        aria-label={t('Copy the {label}', { label })}
        onClick={() => clipboard.copy(text)}
      >
        {clipboard.copied ? t('Copied') : t('Copy')}
      </Button>
    </div>
  )
}
