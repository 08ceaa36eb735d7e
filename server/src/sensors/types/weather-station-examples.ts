import type { Example } from '../sensor.ts'

/** One frame of each kind of report in `weather-station.ts`. */
export const weatherStationExamples: readonly Example[] = [
  {
    about: 'the station does not answer',
    hex: '101b0005',
    gives: {
      event: 'WEATHER_STATION_SENSOR',
      description: 'Error',
      values: { timeout: true, checksumError: false, invalidData: true },
      lines: ['Weather Station Event: Error', 'Error: timeout', 'Error: some data invalid'],
    },
  },
  {
    about: 'wind around the west',
    hex: '111b0100fa010e0122',
    gives: {
      description: 'Wind direction',
      values: { windDirectionMinimum: 250, windDirectionAverage: 270, windDirectionMaximum: 290 },
    },
  },
  {
    about: 'a light breeze',
    hex: '121b02000003e70708',
    gives: {
      values: { windSpeedMinimum: 0, windSpeedAverage: 0.999, windSpeedMaximum: 1.8 },
      lines: [
        'Weather Station Event: Wind speed',
        'Lowest wind speed: 0 m/s',
        'Average wind speed: 0.999 m/s',
        'Highest wind speed: 1.8 m/s',
      ],
      status: { current_sensor_state: '0.999 m/s' },
    },
  },
  {
    about: 'air below zero',
    hex: '1a1b03ffd220cc0187',
    gives: {
      description: 'Temperature, pressure and humidity',
      values: { temperature: -4.6, pressure: 83960, humidity: 39.1 },
      status: { current_sensor_state: '-4.6 C, 83960 Pa, 39.1 %' },
    },
  },
  {
    about: 'rain',
    hex: '141b0400780113002a',
    gives: {
      values: { rainDuration: 120, rainAccumulation: 2.75, rainIntensity: 4.2 },
      lines: [
        'Weather Station Event: Rain',
        'Duration: 120 s',
        'Accumulation: 2.75 mm',
        'Intensity: 4.2 mm/h',
      ],
    },
  },
  {
    about: 'hail',
    hex: '151b05001e000c0005',
    gives: { values: { hailDuration: 30, hailAccumulation: 1.2, hailIntensity: 0.5 } },
  },
  {
    about: "the station's own supply",
    hex: '161b0600000000007a0e37',
    gives: {
      description: 'Station status',
      values: {
        heatingTemperature: 0,
        heatingVoltage: 0,
        supplyVoltage: 12.2,
        referenceVoltage: 3.639,
      },
      status: {},
    },
  },
  {
    about: 'without the reference voltage',
    hex: '171b060000000000f0',
    gives: { values: { heatingTemperature: 0, heatingVoltage: 0, supplyVoltage: 24 } },
  },
]
