/**
 * The units of the numbers in `decoded_object`, by key; null for numbers without one. A key means
 * the same in all sensors. The file of the sensor names the source.
 */
const units: Record<string, string | null> = {
  acceleration: 'g',
  accumulationCount: null,
  angle: '°',
  battery: 'V',
  biasVoltage: 'V',
  buttonId: null,
  channel: null,
  current: 'mA',
  distance: 'mm',
  energyTotal: null,
  faultBits: null,
  fieldX: 'mG',
  fieldY: 'mG',
  fieldZ: 'mG',
  hailAccumulation: null,
  hailDuration: 's',
  hailIntensity: null,
  heading: '°',
  heatingTemperature: '°C',
  heatingVoltage: 'V',
  humidity: '%',
  latitude: '°',
  longitude: '°',
  packet: null,
  pressure: 'Pa',
  protocolVersion: null,
  rainAccumulation: 'mm',
  rainDuration: 's',
  rainIntensity: 'mm/h',
  rangeFactor: null,
  referenceVoltage: 'V',
  relativeLight: null,
  relativeMeasurement: null,
  relativeResistance: null,
  rssi: 'dBm',
  sensorId: null,
  sensorState: null,
  sensorTypeCode: null,
  snr: 'dB',
  status: null,
  subBand: null,
  supplyVoltage: 'V',
  temperature: '°C',
  total: null,
  velocity: 'in/s',
  voltage: 'V',
  windDirectionAverage: '°',
  windDirectionMaximum: '°',
  windDirectionMinimum: '°',
  windSpeedAverage: 'm/s',
  windSpeedMaximum: 'm/s',
  windSpeedMinimum: 'm/s',
}

/** The bands of a spectrum: `velocity10To20Hz`, `peakVelocityAbove231Hz`. */
const bandKey = /^(velocity|peakVelocity)(\d+To\d+|Above\d+)Hz$/

/** The unit of a measurement of a built-in sensor; undefined for unknown keys. */
export function unitOf(key: string): string | null | undefined {
  if (bandKey.test(key)) return 'in/s'
  return Object.hasOwn(units, key) ? units[key] : undefined
}
