import { type AnySettings, findFault, settingsOf } from '../alerts/alert-kinds.ts'
import type { ConditionSettings } from '../alerts/condition-settings.ts'
import { mostRules } from '../alerts/rule-body.ts'
import * as ruleQueries from '../alerts/rule-queries.ts'
import { type ArchivedRule, archivedRule } from './archive-format.ts'
import { readRecords } from './read-archive.ts'
import { type Ids, newIdOf, newTypeOf, type Restored, type Restoring } from './restoring.ts'

interface Maps {
  groups: Ids
  types: Ids
  devices: Ids
}

/**
 * Makes the alert rules that are missing, by name and kind. They are off and tell nobody: the archive
 * has no members, and devices are silent until their accounts are connected.
 */
export async function restoreRules(restoring: Restoring, maps: Maps): Promise<Restored> {
  const { db, organizationId, userId, now, isDryRun } = restoring
  const restored = { added: 0, known: 0 }
  for await (const page of readRecords(restoring, 'alert_rules', archivedRule, mostRules)) {
    const rules = page.map((rule) => withNewIds(rule, maps))
    await db.transaction(async (tx) => {
      const count = await ruleQueries.countLocked(tx, organizationId)
      const stored = await ruleQueries.list(tx, organizationId)
      const missing = rules.filter(
        ({ name, kind }) => !stored.some((one) => one.name === name && one.kind === kind),
      )
      restored.added += missing.length
      restored.known += rules.length - missing.length
      if (count + missing.length > mostRules) {
        throw new Error(`An organization has up to ${mostRules} alert rules.`)
      }
      if (isDryRun) return
      for (const rule of missing) {
        await ruleQueries.insert(tx, organizationId, { ...rule, userId, now })
      }
    })
  }
  return restored
}

function withNewIds(rule: ArchivedRule, maps: Maps): ruleQueries.RuleValues {
  const { id: _, device, group, type, settings, ...rest } = rule
  return {
    ...rest,
    settings: settingsWithNewIds(readSettings(rule), maps),
    device_id: newId(device, maps.devices),
    group_id: newId(group, maps.groups),
    type_id: type === null ? null : newTypeOf(type, maps.types),
    recipients: [],
    is_active: false,
    actions: [],
    actions_per_hour: 10,
    actions_by: null,
  }
}

/** @throws Error for a person: the settings are none of the kind. */
function readSettings({ name, kind, settings }: ArchivedRule): AnySettings {
  const read = settingsOf[kind].safeParse(settings)
  if (read.success && !findFault(kind, read.data)) return read.data
  throw new Error(`The settings of the alert rule "${name}" are not valid for its kind ${kind}.`)
}

function settingsWithNewIds(settings: AnySettings, maps: Maps): AnySettings {
  if (!('conditions' in settings)) return settings
  const conditions = settings.conditions.map((condition) => ({
    ...condition,
    than: condition.than && {
      device: newId(condition.than.device, maps.devices),
      group: newId(condition.than.group, maps.groups),
    },
  }))
  return { ...(settings as ConditionSettings), conditions }
}

function newId(id: number | null, ids: Ids): number | null {
  return id === null ? null : newIdOf(id, ids)
}
