// Copies and fills. Every one has happened when the call returns.
#include <algorithm>
#include <cstring>

#include "sandbox/runtime/emulated_runtime.h"

namespace cudaperf::sandbox {
namespace {

using worker::v1::CopyRequest;
using worker::v1::DeviceRequest;

// A block of rows. Pitches in bytes between starts of rows, slices in rows between starts of planes.
struct Block {
  uint64_t address;
  size_t pitch;
  size_t slice_rows;
};
struct Extent {
  size_t width;
  size_t height = 1;
  size_t depth = 1;
};

bool OnDevice(DeviceClient& device, const void* address) {
  DeviceRequest request;
  request.mutable_find_address()->set_address(reinterpret_cast<uint64_t>(address));
  auto response = device.Call(request);
  return response.ok() && response->find_address().error() == worker::v1::DEVICE_ERROR_NONE;
}

// Which way the bytes go. As on hardware with unified addresses, the addresses say it; the kind only has to fit.
struct Route {
  bool to_device;
  bool from_device;
};

Route FindRoute(DeviceClient& device, const void* destination, const void* source) {
  return {.to_device = OnDevice(device, destination), .from_device = OnDevice(device, source)};
}

bool Fits(Route route, cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return !route.to_device && !route.from_device;
    case cudaMemcpyHostToDevice:
      return route.to_device;
    case cudaMemcpyDeviceToHost:
      return route.from_device;
    case cudaMemcpyDeviceToDevice:
      return route.to_device && route.from_device;
    default:
      return true;
  }
}

cudaError_t CopyPiece(EmulatedRuntime& runtime, DeviceClient& device, Route route, uint64_t destination,
                      uint64_t source, size_t size_bytes, bool continues) {
  if (!route.to_device && !route.from_device) {
    std::memmove(reinterpret_cast<void*>(destination), reinterpret_cast<const void*>(source), size_bytes);
    return cudaSuccess;
  }
  DeviceRequest request;
  CopyRequest* copy = request.mutable_copy();
  copy->set_kind(!route.from_device ? CopyRequest::KIND_HOST_TO_DEVICE
                 : route.to_device  ? CopyRequest::KIND_DEVICE_TO_DEVICE
                                    : CopyRequest::KIND_DEVICE_TO_HOST);
  copy->set_size_bytes(static_cast<int64_t>(size_bytes));
  copy->set_continues(continues);
  if (route.to_device) copy->set_destination(destination);
  if (route.from_device) copy->set_source(source);
  if (!route.from_device) copy->set_content(reinterpret_cast<const void*>(source), size_bytes);
  auto response = device.Call(request);
  if (!response.ok()) return runtime.Translate(response.status());
  if (response->copy().error() != worker::v1::DEVICE_ERROR_NONE) return runtime.Translate(response->copy().error());
  if (!route.to_device) {
    if (response->copy().content().size() != size_bytes) return cudaErrorUnknown;
    std::memcpy(reinterpret_cast<void*>(destination), response->copy().content().data(), size_bytes);
  }
  return cudaSuccess;
}

// One transfer, whatever number of rows and pieces it takes.
cudaError_t CopyBlock(EmulatedRuntime& runtime, DeviceClient& device, Block destination, Block source, Extent extent,
                      cudaMemcpyKind kind) {
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return cudaSuccess;
  const auto* from = reinterpret_cast<const void*>(source.address);
  const auto* to = reinterpret_cast<const void*>(destination.address);
  if (from == nullptr || to == nullptr) return runtime.Refuse(cudaErrorInvalidValue, "copy with a null pointer");
  const Route route = FindRoute(device, to, from);
  if (!Fits(route, kind)) {
    return runtime.Refuse(cudaErrorInvalidValue, "copy whose kind does not fit its pointers");
  }
  // Rows that follow each other without a gap are one long row.
  if (destination.pitch == extent.width && source.pitch == extent.width &&
      (extent.depth == 1 || (destination.slice_rows == extent.height && source.slice_rows == extent.height))) {
    extent = {.width = extent.width * extent.height * extent.depth};
  }
  bool continues = false;
  for (size_t plane = 0; plane < extent.depth; ++plane) {
    for (size_t row = 0; row < extent.height; ++row) {
      const size_t from_row = (plane * source.slice_rows + row) * source.pitch;
      const size_t to_row = (plane * destination.slice_rows + row) * destination.pitch;
      for (size_t done = 0; done < extent.width;) {
        const size_t piece = std::min<size_t>(DeviceClient::kMaxPieceBytes, extent.width - done);
        const cudaError_t error = CopyPiece(runtime, device, route, destination.address + to_row + done,
                                            source.address + from_row + done, piece, continues);
        if (error != cudaSuccess) return error;
        continues = true;
        done += piece;
      }
    }
  }
  return cudaSuccess;
}

Block Flat(const void* address, size_t pitch = 0, size_t slice_rows = 0) {
  return {reinterpret_cast<uint64_t>(address), pitch, slice_rows};
}

cudaError_t Copy(void* destination, size_t destination_pitch, const void* source, size_t source_pitch, Extent extent,
                 cudaMemcpyKind kind) {
  return WithDevice([&](EmulatedRuntime& runtime, DeviceClient& device) {
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    if (destination_pitch < extent.width || source_pitch < extent.width) {
      return runtime.Refuse(extent.height > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue, "copy");
    }
    return CopyBlock(runtime, device, Flat(destination, destination_pitch, extent.height),
                     Flat(source, source_pitch, extent.height), extent, kind);
  });
}

cudaError_t FillRows(void* address, size_t pitch, int value, Extent extent) {
  return WithDevice([&](EmulatedRuntime& runtime, DeviceClient& device) {
    if (extent.width == 0 || extent.height == 0) return cudaSuccess;
    if (extent.height > 1 && pitch < extent.width) {
      return runtime.Refuse(cudaErrorInvalidValue, "fill with a pitch below the width");
    }
    if (pitch == extent.width) extent = {.width = extent.width * extent.height};
    for (size_t row = 0; row < extent.height; ++row) {
      const cudaError_t error = runtime.Translate(
          device.Fill(reinterpret_cast<uint64_t>(address) + row * pitch, value, static_cast<int64_t>(extent.width),
                      /*continues=*/row > 0));
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  });
}

// Runs `use(device address, bytes of the variable)` on a device variable.
template <typename Use>
cudaError_t WithSymbol(const void* symbol, Use use) {
  return WithDevice([&](EmulatedRuntime& runtime, DeviceClient& device) {
    EmulatedRuntime::Session session = runtime.Open();
    ProgramRegistry::Variable* variable = session.registry().FindVariable(symbol);
    if (variable == nullptr) return runtime.Refuse(cudaErrorInvalidSymbol, "not a device variable");
    if (absl::Status found = session.registry().Locate(variable, &device); !found.ok()) return runtime.Translate(found);
    return use(runtime, device, variable->address, static_cast<size_t>(variable->size_bytes));
  });
}

bool Inside(size_t count, size_t offset, size_t size) { return offset <= size && count <= size - offset; }

cudaError_t Copy3D(const cudaMemcpy3DParms* parameters) {
  return WithDevice([&](EmulatedRuntime& runtime, DeviceClient& device) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    if (parameters->srcArray != nullptr || parameters->dstArray != nullptr) {
      return runtime.Unsupported("cudaMemcpy3D: arrays");
    }
    const auto block = [](const cudaPitchedPtr& pointer, const cudaPos& position) {
      const uint64_t offset = (position.z * pointer.ysize + position.y) * pointer.pitch + position.x;
      return Block{reinterpret_cast<uint64_t>(pointer.ptr) + offset, pointer.pitch, pointer.ysize};
    };
    const cudaExtent& extent = parameters->extent;
    return CopyBlock(runtime, device, block(parameters->dstPtr, parameters->dstPos),
                     block(parameters->srcPtr, parameters->srcPos), {extent.width, extent.height, extent.depth},
                     parameters->kind);
  });
}

}  // namespace
}  // namespace cudaperf::sandbox

using cudaperf::sandbox::Block;
using cudaperf::sandbox::Copy;
using cudaperf::sandbox::CopyBlock;
using cudaperf::sandbox::DeviceClient;
using cudaperf::sandbox::EmulatedRuntime;
using cudaperf::sandbox::FillRows;
using cudaperf::sandbox::Flat;
using cudaperf::sandbox::Inside;
using cudaperf::sandbox::WithSymbol;

extern "C" {

cudaError_t cudaMemcpy(void* destination, const void* source, size_t count, cudaMemcpyKind kind) {
  return Copy(destination, count, source, count, {count}, kind);
}

cudaError_t cudaMemcpyAsync(void* destination, const void* source, size_t count, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy(destination, source, count, kind);
}

cudaError_t cudaMemcpyPeer(void* destination, int, const void* source, int, size_t count) {
  return cudaMemcpy(destination, source, count, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void* destination, int, const void* source, int, size_t count, cudaStream_t) {
  return cudaMemcpy(destination, source, count, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpy2D(void* destination, size_t destination_pitch, const void* source, size_t source_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  return Copy(destination, destination_pitch, source, source_pitch, {width, height}, kind);
}

cudaError_t cudaMemcpy2DAsync(void* destination, size_t destination_pitch, const void* source, size_t source_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy2D(destination, destination_pitch, source, source_pitch, width, height, kind);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) { return cudaperf::sandbox::Copy3D(parameters); }

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t) { return cudaMemcpy3D(parameters); }

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* source, size_t count, size_t offset,
                               cudaMemcpyKind kind) {
  return WithSymbol(symbol, [&](EmulatedRuntime& runtime, DeviceClient& device, uint64_t address, size_t size) {
    if (!Inside(count, offset, size)) return runtime.Refuse(cudaErrorInvalidValue, "copy past the end of a variable");
    return CopyBlock(runtime, device, Block{address + offset, count, 1}, Flat(source, count, 1), {count}, kind);
  });
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* source, size_t count, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpyToSymbol(symbol, source, count, offset, kind);
}

cudaError_t cudaMemcpyFromSymbol(void* destination, const void* symbol, size_t count, size_t offset,
                                 cudaMemcpyKind kind) {
  return WithSymbol(symbol, [&](EmulatedRuntime& runtime, DeviceClient& device, uint64_t address, size_t size) {
    if (!Inside(count, offset, size)) return runtime.Refuse(cudaErrorInvalidValue, "copy past the end of a variable");
    return CopyBlock(runtime, device, Flat(destination, count, 1), Block{address + offset, count, 1}, {count}, kind);
  });
}

cudaError_t cudaMemcpyFromSymbolAsync(void* destination, const void* symbol, size_t count, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpyFromSymbol(destination, symbol, count, offset, kind);
}

cudaError_t cudaGetSymbolAddress(void** result, const void* symbol) {
  return WithSymbol(symbol, [&](EmulatedRuntime&, DeviceClient&, uint64_t address, size_t) {
    if (result == nullptr) return cudaErrorInvalidValue;
    *result = reinterpret_cast<void*>(address);
    return cudaSuccess;
  });
}

cudaError_t cudaGetSymbolSize(size_t* result, const void* symbol) {
  return WithSymbol(symbol, [&](EmulatedRuntime&, DeviceClient&, uint64_t, size_t size) {
    if (result == nullptr) return cudaErrorInvalidValue;
    *result = size;
    return cudaSuccess;
  });
}

cudaError_t cudaMemset(void* address, int value, size_t count) { return FillRows(address, count, value, {count}); }

cudaError_t cudaMemsetAsync(void* address, int value, size_t count, cudaStream_t) {
  return cudaMemset(address, value, count);
}

cudaError_t cudaMemset2D(void* address, size_t pitch, int value, size_t width, size_t height) {
  return FillRows(address, pitch, value, {width, height});
}

cudaError_t cudaMemset2DAsync(void* address, size_t pitch, int value, size_t width, size_t height, cudaStream_t) {
  return cudaMemset2D(address, pitch, value, width, height);
}

}  // extern "C"
