import { Anchor } from '@mantine/core'
import { useState } from 'react'
import type { Schemas } from '../../../api/generated.ts'
import { t } from '../../../languages/text.ts'
import { lorawanWords } from '../../../radio/lorawan-words.ts'
import { useMay } from '../../../session/session.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Time } from '../../../ui/time.tsx'
import { UpdateDialog } from './update-dialog.tsx'

interface TypeOriginProps {
  type: Schemas['CustomDeviceType']
  /** The type can be changed here. */
  mayChange?: boolean
}

/** The model of a catalogue that a type was made of, and whether it has a newer revision. */
export function TypeOrigin({ type, mayChange = false }: TypeOriginProps) {
  const [isChecking, setChecking] = useState(false)
  const may = useMay('manage_devices') && mayChange
  const origin = type.catalogue
  if (!origin) return null
  const { vendor, model, firmware_version: firmware, region, data_sheet: sheet, profile } = origin
  return (
    <Card
      title={t('From the catalogue')}
      actions={
        may && (
          <ActionButton
            needs="manage_devices"
            variant="default"
            size="xs"
            onClick={() => setChecking(true)}
          >
            {t('Check for an update')}
          </ActionButton>
        )
      }
    >
      <Facts
        rows={[
          [t('Model'), `${vendor} ${model}`],
          [t('Firmware version'), firmware],
          [t('Region'), region],
          ['LoRaWAN', profile && radioWords(profile)],
          [t('Catalogue'), origin.source],
          [t('Revision'), <code key="revision">{origin.revision.slice(0, 8)}</code>],
          [t('Taken'), <Time key="taken" value={origin.taken_at} />],
          [
            t('Data sheet'),
            sheet && (
              <Anchor key="sheet" href={sheet} target="_blank" rel="noreferrer" inherit>
                {sheet}
              </Anchor>
            ),
          ],
        ]}
      />
      {isChecking && <UpdateDialog type={type} onClose={() => setChecking(false)} />}
    </Card>
  )
}

function radioWords(profile: Schemas['CatalogueProfile']): string {
  const { mac_version: version, activation, device_class: deviceClass } = profile
  const words = { activation, deviceClass, version: version.startsWith('1.1') ? '1.1' : '1.0' }
  return lorawanWords(words)
}
