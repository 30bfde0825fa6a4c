/* Gossamer: includes all public headers. SPDX-License-Identifier: Apache-2.0 */
#ifndef GOSSAMER_H
#define GOSSAMER_H
#include "gossamer/base.h"
#include "gossamer/blas.h"
#include "gossamer/binding.h"
#include "gossamer/buckling.h"
#include "gossamer/control.h"
#include "gossamer/controller.h"
#include "gossamer/correlation.h"
#include "gossamer/fmu.h"
#include "gossamer/io.h"
#include "gossamer/linear.h"
#include "gossamer/linearise.h"
#include "gossamer/mesh.h"
#include "gossamer/model.h"
#include "gossamer/reduce.h"
#include "gossamer/reduce_linear.h"
#include "gossamer/sim.h"
#include "gossamer/sweep.h"
#include "gossamer/system.h"
#include "gossamer/vibration.h"
#endif
