import { Button } from '@mantine/core'
import { t } from '../../languages/text.ts'
import { LinkButton } from '../../ui/link.tsx'
import { EmptyState } from '../../ui/notices.tsx'

export function NoDevices() {
  return (
    <EmptyState
      title={t('No devices yet')}
      actions={
        <>
          <LinkButton to="/register">{t('Register a device')}</LinkButton>
          <LinkButton to="/networks" variant="default">
            {t('Connect a network')}
          </LinkButton>
        </>
      }
    >
      {t('Register the first one, or connect a network and bring the devices that it has already.')}
    </EmptyState>
  )
}

export function NothingMatches({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      title={t('No matching devices')}
      actions={
        <Button variant="default" onClick={onClear}>
          {t('Clear all filters')}
        </Button>
      }
    >
      {t('No device matches all filters. Remove one, or search for a part of the name or DevEUI.')}
    </EmptyState>
  )
}
