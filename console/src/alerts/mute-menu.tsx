import { Button, Menu } from '@mantine/core'
import { t } from '../languages/text.ts'
import { useReason } from '../ui/action-button.tsx'
import { muteChoices, muteUntil } from './alert-words.ts'

interface MuteMenuProps {
  /** What is muted, for screen readers. */
  what: string
  until: string | null
  onChoose: (until: string | null) => void
}

/** Notifies nobody for a while. Anything still wrong after that is reported then. */
export function MuteMenu({ what, until, onChoose }: MuteMenuProps) {
  const reason = useReason('manage_devices')
  return (
    <Menu>
      <Menu.Target>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={t('Mute {what}', { what })}
          title={reason}
          disabled={reason !== undefined}
        >
          {t('Mute')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {muteChoices.map(({ hours, label }) => (
          <Menu.Item key={hours} onClick={() => onChoose(muteUntil(hours))}>
            {label}
          </Menu.Item>
        ))}
        {until !== null && <Menu.Item onClick={() => onChoose(null)}>{t('Unmute')}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  )
}
