const { say } = require('./state.js');

say({ today: new Date().toISOString().slice(0, 10) });
