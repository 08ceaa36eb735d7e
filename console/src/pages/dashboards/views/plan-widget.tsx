import { SegmentedControl } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { addressOf } from '../../../api/client.ts'
import { t } from '../../../languages/text.ts'
import { PlanView } from '../../../plans/plan-view.tsx'
import { Nothing } from '../nothing.tsx'
import { type SharedBy, useShared, type ViewProps } from './view.ts'
import classes from './views.module.css'

/** A floor plan with its devices; of a group with several, one at a time. */
export default function PlanWidget({ data }: ViewProps) {
  const navigate = useNavigate()
  const shared = useShared()
  const [chosen, setChosen] = useState<string>()
  const plans = data.plans ?? []
  const shown = plans.find(({ id }) => String(id) === chosen) ?? plans[0]
  if (!shown) return <Nothing data={data}>{t('No floor plan here yet.')}</Nothing>
  return (
    <div className={classes.plan}>
      {plans.length > 1 && (
        <SegmentedControl
          size="xs"
          aria-label={t('Floor plan')}
          data={plans.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={String(shown.id)}
          onChange={setChosen}
        />
      )}
      <div className={classes.planSpace}>
        <PlanView
          key={shown.id}
          plan={shown}
          image={shared && imageOf(shared, shown.id)}
          {...(!shared && {
            onSelect: ({ eui }) => void navigate({ to: '/devices/$eui', params: { eui } }),
          })}
        />
      </div>
    </div>
  )
}

function imageOf({ token, pass, index }: SharedBy, id: number) {
  const path = { token, plan: `${index}-${id}` }
  return { address: addressOf('GET /shared-dashboards/{token}/plans/{plan}', path), pass }
}
