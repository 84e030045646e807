import { tourCheck } from './tourCheck';
const ok = await tourCheck('/tmp/fixture-ext');
process.exit(ok ? 0 : 1);
