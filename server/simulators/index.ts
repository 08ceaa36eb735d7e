import type { SimulatedNetwork, SimulatorOptions, StartSimulator } from './simulated-network.ts'

/**
 * THE REGISTRY of the simulators, by the key of their network. Each module is loaded when its
 * simulator starts.
 */
const simulators: Readonly<Record<string, () => Promise<{ startSimulator: StartSimulator }>>> = {
  machineq: () => import('./machineq/simulator.ts'),
  senet: () => import('./senet/simulator.ts'),
  thethingsnetwork: () => import('./thethingsnetwork/simulator.ts'),
  loriot: () => import('./loriot/simulator.ts'),
  aws_iot_core: () => import('./aws_iot_core/simulator.ts'),
  aws_iot_core_lora: () => import('./aws_iot_core_lora/simulator.ts'),
  kerlink: () => import('./kerlink/simulator.ts'),
  actility: () => import('./actility/simulator.ts'),
  everynet: () => import('./everynet/simulator.ts'),
  chirpstack: () => import('./chirpstack/simulator.ts'),
  netmore: () => import('./netmore/simulator.ts'),
}

/** The networks that can be simulated. */
export const simulatedKeys: readonly string[] = Object.keys(simulators)

/** Starts the simulator of a network. Throws if the network has no simulator. */
export async function startSimulator(
  key: string,
  options?: SimulatorOptions,
): Promise<SimulatedNetwork> {
  const load = simulators[key]
  if (!load) throw new Error(`No simulator of the network ${key}.`)
  const simulator = await load()
  return simulator.startSimulator(options)
}
